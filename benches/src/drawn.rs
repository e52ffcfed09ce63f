//! Questions beside the published literals, fixed before anything was measured by them.
//!
//! Identifiers and phrases were drawn: a file by chance among the tree's `.c` and `.h` files, then
//! by chance one of its identifiers of eight letters and more, or of its comments' beginnings of
//! three to five words. Short and common words, and expressions, are chosen.

/// Drawn identifiers.
pub const IDENTIFIERS: [&str; 20] = [
    "PAGE_SIZE",
    "u_int32_t",
    "ISL38XX_DEV_INT_PCIUART_DR",
    "platform_device",
    "of_irq_get",
    "Identifier",
    "v4l2_quantization",
    "omap2_clkops_enable_clkdm",
    "expected_rc",
    "set_aside",
    "ARC4_MIN_KEY_SIZE",
    "Retransmit",
    "VF610_CLK_SLOW_CLK_SEL",
    "nvkm_engine",
    "REG_CONFIG2",
    "Microblaze",
    "local_irq_save",
    "ginvt_mmid",
    "__SOUND_PONTIS_H",
    "get_unaligned_be64",
];

/// Drawn phrases.
pub const PHRASES: [&str; 10] = [
    "Nothing else using it",
    "Machine is not on the",
    "This operation is a bit",
    "usb specific object needed to",
    "shorter and more apt",
    "Try to tree connect to",
    "Software reset reg",
    "no power sequence control",
    "Assume we are permitted a",
    "Make the current",
];

/// Words that are on lines without number, or so short that an index of three letters says little.
pub const COMMON: [&str; 10] =
    ["if", "int", "the", "for", "err", "ret", "dev", "static", "struct", "NULL"];

/// Regular expressions: with literals that narrow, with some that do not, and with none.
pub const EXPRESSIONS: [&str; 10] = [
    r"kmalloc\(.*GFP_ATOMIC",
    r"spin_(un)?lock_irqsave",
    r"^static int \w+_probe\(",
    r"EXPORT_SYMBOL(_GPL)?\(usb_",
    r"\bTODO\b.*lock",
    r"0x[0-9a-f]{8}",
    r"mutex_(lock|unlock|trylock)\(&\w+->mutex\)",
    r"(dma|DMA)_BIT_MASK\(64\)",
    r"[A-Z]{3}_[A-Z]{3}_[A-Z]{3}_[A-Z]{3}",
    r"return -E(AGAIN|INTR|RESTARTSYS);",
];
