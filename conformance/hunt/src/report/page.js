'use strict';
(() => {
  const root = document.documentElement;
  const one = (id) => document.getElementById(id);
  const all = (selector, from) => [...(from || document).querySelectorAll(selector)];
  root.classList.add('js');
  const matrix = one('matrix');
  const groups = all('#groups > tr');
  const rows = all('#findings tbody tr');
  const cases = new Map(all('#cases > article').map((article) => [article.dataset.i, article]));
  const names = ['unreadable', 'broken', 'diverge', 'known', 'declared', 'agree', 'unsupported'];
  const styles = ['c6', 'c5', 'c4', 'c3', 'c2', 'c1', 'cu'];
  const fold = (text) => text.toLowerCase().replace(/·/g, ' ');
  const text = new Map();
  for (const row of rows) {
    const article = cases.get(row.dataset.i);
    text.set(row, fold(row.textContent + ' ' + (article ? article.textContent : '')));
  }

  // Sorting: a click sorts, another one turns it round, a third restores the order of the document.
  const order = new Map(all('tbody tr').map((row, at) => [row, at]));
  const key = (row, column) => {
    const cell = row.cells[column];
    if (!cell) return '';
    return cell.dataset.s !== undefined ? Number(cell.dataset.s) : fold(cell.textContent);
  };
  for (const button of all('button[data-sort]')) {
    button.addEventListener('click', () => {
      const head = button.closest('th');
      const table = button.closest('table');
      const body = table.tBodies[table.tBodies.length - 1];
      const column = Number(button.dataset.sort);
      const numbers = body.rows.length && typeof key(body.rows[0], column) === 'number';
      const steps = numbers && !head.classList.contains('corner') ? ['descending', 'ascending', ''] : ['ascending', 'descending', ''];
      const next = steps[(steps.indexOf(head.getAttribute('aria-sort') || '') + 1) % 3];
      all('th[aria-sort]', table).forEach((other) => other.removeAttribute('aria-sort'));
      if (next) head.setAttribute('aria-sort', next);
      const sign = next === 'descending' ? -1 : 1;
      const compare = (a, b) => {
        const [x, y] = [key(a, column), key(b, column)];
        const least = next === '' || x === y ? 0 : x < y ? -1 : 1;
        return least * sign || order.get(a) - order.get(b);
      };
      body.append(...[...body.rows].sort(compare));
    });
  }

  // Filtering.
  const query = one('q');
  const wrong = one('wrong');
  const fresh = one('fresh');
  const boxes = all('#programs input');
  const columns = all('[data-p]', matrix);
  const filter = () => {
    const words = fold(query.value).split(/\s+/).filter(Boolean);
    const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const fits = (told) => words.every((word) => told.includes(word));
    let count = 0;
    const kept = new Set();
    for (const row of rows) {
      // A finding of a program without a box is never filtered by program.
      const show = fits(text.get(row)) && (shown.has(row.dataset.p) || !boxes[row.dataset.p]) && !(fresh.checked && row.dataset.k === '1');
      row.hidden = !show;
      if (show) {
        count += 1;
        kept.add(row.dataset.i);
      }
    }
    for (const cell of columns) cell.hidden = !shown.has(cell.dataset.p);
    for (const row of groups) {
      let opens = false;
      let bad = false;
      for (const cell of row.cells) {
        if (cell.hidden) continue;
        if (cell.dataset.f && cell.dataset.f.split(' ').some((at) => kept.has(at))) opens = true;
        if (['c4', 'c5', 'c6'].some((name) => cell.classList.contains(name)) || (!fresh.checked && cell.classList.contains('c3'))) bad = true;
      }
      const named = !words.length || fits(fold(row.cells[0].textContent)) || opens;
      row.hidden = !named || (wrong.checked && !bad) || (fresh.checked && !opens && !bad);
    }
    one('tally').textContent = count === rows.length ? String(count) : count + ' of ' + rows.length;
    one('none').hidden = count > 0;
    tabbable();
  };
  one('bar').addEventListener('input', filter);
  one('bar').addEventListener('submit', (event) => event.preventDefault());
  // A click with Alt or Shift on a program shows it alone.
  one('programs').addEventListener('click', (event) => {
    const box = event.target.closest('input');
    if (!box || !(event.altKey || event.shiftKey)) return;
    boxes.forEach((other) => { other.checked = other === box; });
    filter();
  });
  const counts = one('counts-all');
  const density = () => root.classList.toggle('counts', counts.checked);
  counts.checked = matrix.tHead.rows[1].cells.length <= 10;
  counts.addEventListener('change', density);
  density();

  // One cell of the matrix is in the order of tabs; arrows move.
  const cells = () => all('tbody tr:not([hidden])', matrix).map((row) => [...row.cells].slice(1).filter((cell) => !cell.hidden)).filter((row) => row.length);
  matrix.setAttribute('role', 'grid');
  all('td a', matrix).forEach((link) => { link.tabIndex = -1; });
  let current = null;
  const stand = (cell) => {
    if (current) current.tabIndex = -1;
    current = cell;
    if (cell) cell.tabIndex = 0;
  };
  const tabbable = () => {
    if (!current || current.hidden || current.parentElement.hidden) stand((cells()[0] || [])[0] || null);
  };
  matrix.addEventListener('keydown', (event) => {
    const cell = event.target.closest('td');
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    const grid = cells();
    let y = grid.findIndex((row) => row.includes(cell));
    let x = y < 0 ? 0 : grid[y].indexOf(cell);
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-8, 0], PageDown: [8, 0] };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      open(cell);
      return;
    }
    if (event.key === 'Home') x = 0;
    else if (event.key === 'End') x = Infinity;
    else if (steps[event.key]) {
      y += steps[event.key][0];
      x += steps[event.key][1];
    } else return;
    event.preventDefault();
    y = Math.max(0, Math.min(grid.length - 1, y));
    x = Math.max(0, Math.min(grid[y].length - 1, x));
    stand(grid[y][x]);
    grid[y][x].focus();
    reveal(grid[y][x]);
  });
  // The sticky head and first column would cover what was scrolled to.
  const reveal = (cell) => {
    const box = one('field').getBoundingClientRect();
    const at = cell.getBoundingClientRect();
    const left = box.left + matrix.querySelector('.corner').offsetWidth;
    const top = box.top + matrix.tHead.offsetHeight;
    if (at.left < left) one('field').scrollLeft -= left - at.left;
    if (at.top < top) one('field').scrollTop -= top - at.top;
  };

  // The sheet: one cell or one finding, with the cases that belong to it.
  const sheet = one('sheet');
  let deck = [];
  let at = 0;
  const show = () => {
    const article = cases.get(deck[at]);
    const body = one('body');
    body.replaceChildren();
    if (article) {
      const copy = article.cloneNode(true);
      copy.removeAttribute('id');
      body.append(copy);
      history.replaceState(null, '', '#' + article.id);
    } else if (deck.length) {
      body.textContent = 'This case was left out for the size of the page; the JSON has it.';
    }
    one('nth').textContent = deck.length > 1 ? at + 1 + ' of ' + deck.length : '';
    one('prev').hidden = one('next').hidden = deck.length < 2;
    sheet.scrollTop = 0;
  };
  const present = (title, told, reason, list) => {
    one('where').textContent = title;
    one('counts').replaceChildren(...told);
    one('reason').textContent = reason;
    one('reason').hidden = !reason;
    deck = list;
    at = 0;
    show();
    if (!sheet.open) sheet.showModal();
  };
  const open = (cell) => {
    const numbers = (cell.dataset.n || '').split(',').filter(Boolean).map(Number);
    if (!numbers.length && !cell.dataset.f) return;
    const told = numbers.flatMap((number, class_) => {
      if (!number) return [];
      const span = document.createElement('span');
      span.className = styles[class_];
      span.textContent = number.toLocaleString('en') + ' ' + names[class_];
      return [span];
    });
    stand(cell);
    const title = cell.title.split(': ').slice(0, 2).join(': ');
    let list = (cell.dataset.f || '').split(' ').filter(Boolean);
    let reason = cell.dataset.r ? 'Why: ' + cell.dataset.r : '';
    if (cell.closest('.all')) {
      list = column(cell);
    } else if (!list.length && (['c4', 'c5', 'c6'].some((name) => cell.classList.contains(name)))) {
      list = column(cell);
      const told = list.length
        ? 'No case of this cell was made small under its own group. The findings of this release follow.'
        : 'The run ended before a case of this cell was made small. A longer one shows it.';
      reason += (reason ? '\n' : '') + told;
    }
    present(title, told, reason, list);
  };
  // What the other cells of a release open, each once.
  const column = (cell) => {
    const cells = groups.map((row) => row.cells[cell.cellIndex]);
    return [...new Set(cells.flatMap((other) => (other.dataset.f || '').split(' ').filter(Boolean)))].sort((a, b) => a - b);
  };
  matrix.addEventListener('click', (event) => {
    const cell = event.target.closest('td');
    if (!cell || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    open(cell);
  });
  const step = (by) => {
    if (deck.length < 2) return;
    at = (at + by + deck.length) % deck.length;
    show();
  };
  one('prev').addEventListener('click', () => step(-1));
  one('next').addEventListener('click', () => step(1));
  one('shut').addEventListener('click', () => sheet.close());
  sheet.addEventListener('click', (event) => {
    if (event.target === sheet) sheet.close();
  });
  sheet.addEventListener('close', () => {
    history.replaceState(null, '', location.pathname + location.search);
    if (back) back.focus();
    else if (current) current.focus();
    back = null;
  });
  let back = null;
  const single = (id, from) => {
    const article = document.getElementById(id);
    if (!article || !article.matches('#cases > article')) return false;
    const list = all('#findings tbody tr:not([hidden])').map((row) => row.dataset.i);
    back = from;
    present('Finding', [], '', list.includes(article.dataset.i) ? list : [article.dataset.i]);
    at = Math.max(0, deck.indexOf(article.dataset.i));
    show();
    return true;
  };
  one('findings').addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey) return;
    if (single(decodeURIComponent(link.hash.slice(1)), link)) event.preventDefault();
  });
  const hash = () => location.hash.length > 1 && single(decodeURIComponent(location.hash.slice(1)), null);
  window.addEventListener('hashchange', hash);

  // Copying. A page from a file may have no clipboard; then the old way is taken.
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('.copy');
    if (!button) return;
    const command = button.dataset.copy ? decodeURIComponent(button.dataset.copy) : button.parentElement.querySelector('code').textContent;
    let copied = false;
    try {
      await navigator.clipboard.writeText(command);
      copied = true;
    } catch {
      const area = document.createElement('textarea');
      area.value = command;
      button.parentElement.append(area);
      area.select();
      copied = document.execCommand('copy');
      area.remove();
      button.focus();
    }
    button.textContent = copied ? 'Copied' : 'Not copied';
    one('said').textContent = button.textContent;
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });

  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input')) return;
    if (sheet.open) {
      const scrolls = event.target.matches('pre');
      if (event.key === 'j' || (event.key === 'ArrowRight' && !scrolls)) step(1);
      else if (event.key === 'k' || (event.key === 'ArrowLeft' && !scrolls)) step(-1);
    } else if (event.key === '/') {
      event.preventDefault();
      query.focus();
    }
  });
  one('theme').addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  });
  filter();
  hash();
})();
