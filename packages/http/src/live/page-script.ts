// Script of the page of the live view.

export const viewScript = /* js */ `'use strict';
const $ = (selector) => document.querySelector(selector);
const canvas = $('canvas'), keys = $('#keys'), address = $('#address'), cover = $('#cover'), toast = $('#toast'), state = $('#state'), lag = $('#lag');
const pen = canvas.getContext('2d');
let socket, mayAct = false, size = { width: 1280, height: 800 }, tries = 0, isOver = false, wasIn = false, hasFrame = false, isShown = false, latest, front = '';
const show = (name, word, title, text) => {
  state.dataset.state = name;
  state.firstElementChild.textContent = word;
  isShown = name === 'live';
  cover.hidden = isShown;
  $('#again').hidden = tries === 0 || name === 'over';
  $('#card strong').textContent = title ?? word;
  $('#why').textContent = text ?? '';
};
const say = (message) => { if (mayAct && socket?.readyState === 1) socket.send(JSON.stringify(message)); };
const tell = (text) => { toast.textContent = text; clearTimeout(tell.timer); tell.timer = setTimeout(() => { toast.textContent = ''; }, 6000); };
const draw = async (data) => {
  latest = data;
  if (draw.isBusy) return;
  draw.isBusy = true;
  while (latest) {
    const bytes = latest;
    latest = undefined;
    const head = new DataView(bytes);
    size = { width: head.getUint32(0), height: head.getUint32(4) };
    const made = head.getFloat64(8);
    const picture = await createImageBitmap(new Blob([bytes.slice(16)], { type: 'image/jpeg' })).catch(() => undefined);
    if (socket.readyState === 1) socket.send('seen');
    if (!picture) continue;
    if (canvas.width !== picture.width || canvas.height !== picture.height) { canvas.width = picture.width; canvas.height = picture.height; fit(); }
    pen.drawImage(picture, 0, 0);
    picture.close();
    requestAnimationFrame(() => clock.shown(made));
    canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
    if (isShown || isOver) continue;
    hasFrame = true;
    tries = 0;
    canvas.classList.remove('empty');
    fit();
    show('live', 'Live');
  }
  draw.isBusy = false;
};
// How long after it was made a picture is shown. The clock of the server is learned from the answer that was fastest.
const clock = {
  begin: () => {
    clearInterval(clock.timer);
    Object.assign(clock, { ahead: undefined, fastest: Infinity, asked: undefined, apart: undefined });
    clock.timer = setInterval(clock.ask, 2000);
    clock.ask();
  },
  stop: () => { clearInterval(clock.timer); lag.textContent = ''; },
  ask: () => {
    const now = performance.now();
    const waits = clock.asked === undefined ? 0 : now - clock.asked;
    if (waits > 0) return clock.tell(waits);
    if (socket?.readyState !== 1) return;
    clock.asked = now;
    socket.send(JSON.stringify({ type: 'time', at: now }));
  },
  answered: ({ at, now }) => {
    const took = performance.now() - at;
    clock.asked = undefined;
    if (took <= clock.fastest) Object.assign(clock, { fastest: took, ahead: now - (at + took / 2) });
    clock.tell(0);
  },
  shown: (made) => {
    clock.apart = performance.now() - made;
    if (!(performance.now() - clock.told < 500)) clock.tell(0);
  },
  // Nothing is told of a connection that does not answer but how long it has not.
  tell: (waits) => {
    const age = Math.max(0, clock.apart + clock.ahead);
    if (!isShown || isOver || (waits === 0 && Number.isNaN(age))) return;
    clock.told = performance.now();
    lag.textContent = waits > 0 ? 'over ' + Math.round(waits / 1000) + ' s' : age < 1000 ? Math.round(age) + ' ms' : (age / 1000).toFixed(1) + ' s';
    lag.title = waits > 0 ? 'The server has not answered for this long.' : 'The last picture was shown this long after it was made.';
  },
};
const shown = {
  time: clock.answered,
  hello: (message) => {
    wasIn = true;
    clock.begin();
    mayAct = message.mayAct;
    document.body.className = mayAct ? 'act' : 'watch';
    canvas.ariaLabel = 'The page of the live browser.' + (mayAct ? ' It takes your keys; Shift and Escape lead out of it.' : '');
    address.readOnly = !mayAct;
    show('wait', 'Connected', 'Waiting for the page');
  },
  tabs: ({ tabs }) => {
    const first = tabs.find((tab) => tab.isShown);
    if (first) front = first.url;
    if (document.activeElement !== address) address.value = front;
    document.title = first?.title ? first.title + ' – live view' : 'Live view';
    $('nav').replaceChildren(...(tabs.length < 2 ? [] : tabs.map((tab) => {
      const button = document.createElement('button');
      button.role = 'tab';
      button.ariaSelected = String(tab.isShown);
      button.textContent = tab.title || tab.url;
      button.title = button.textContent;
      button.ariaDisabled = String(!mayAct);
      button.onclick = () => say({ type: 'tab', id: tab.id });
      return button;
    })));
    $('nav [aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    fit();
  },
  failed: ({ error }) => tell(error),
};
const over = (word, title, text) => {
  isOver = true;
  clock.stop();
  mayAct = false;
  address.readOnly = true;
  document.body.className = 'watch';
  for (const tab of $('nav').children) tab.ariaDisabled = 'true';
  show('over', word, title, text);
};
// The first sentence of the reason says what has ended, and the others why.
const ended = (reason = '') => {
  const [what, ...why] = reason.split(/(?<=\\.) /);
  over('Ended', what.replace(/\\.$/, '') || 'This session has ended', why.join(' ') || 'The browser was stopped, its time was up, or its server began anew.');
};
const screenUrl = () => {
  const url = new URL(location.href);
  url.pathname = url.pathname.replace(/\\/$/, '') + '/screen';
  url.hash = '';
  return url;
};
// A WebSocket that is refused says no more than one that reaches no server. A plain request for the same address does.
const ask = () => fetch(screenUrl(), { cache: 'no-store', signal: AbortSignal.timeout(10000) }).then(({ status }) => status, () => 0);
const lost = async (wasOpen) => {
  clock.stop();
  tries += 1;
  const since = tries === 1 ? (wasIn ? 'The connection was lost.' : '') : 'The server cannot be reached. This was attempt ' + tries + '.';
  show('wait', 'Reconnecting', wasIn ? 'Reconnecting' : 'Connecting', since);
  if (!wasOpen) {
    const status = await ask();
    if ([401, 403, 404, 410].includes(status)) {
      if (wasIn) return ended();
      return over('Refused', 'This address is not good', 'Its session has ended, or a part of the address is missing. Ask for a new one.');
    }
    if (status === 400) show('wait', 'Reconnecting', 'Connecting', 'The server answers, but opens no WebSocket. A proxy before it has to let WebSockets through.');
  }
  lost.timer = setTimeout(connect, Math.min(250 * 2 ** tries, 8000));
};
const connect = () => {
  clearTimeout(lost.timer);
  lost.timer = undefined;
  const url = screenUrl();
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  let wasOpen = false;
  socket.onopen = () => { wasOpen = true; };
  socket.onmessage = ({ data }) => {
    if (typeof data !== 'string') return void draw(data);
    const message = JSON.parse(data);
    shown[message.type]?.(message);
  };
  socket.onclose = ({ code, reason }) => {
    if (isOver) return;
    if (code === 1000) return ended(reason);
    void lost(wasOpen);
  };
};
const hasten = () => { if (lost.timer !== undefined) connect(); };
$('#again').onclick = hasten;
addEventListener('online', hasten);
// A phone that was asleep may not know yet that its connection is gone: what is sent finds out.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  hasten();
  if (socket.readyState === 1) socket.send('seen');
});
const main = $('main'), larger = $('#size');
const fit = () => {
  const isLarge = main.classList.contains('large');
  larger.hidden = !hasFrame || !isLarge && canvas.getBoundingClientRect().width > canvas.width * 0.75;
  main.classList.toggle('tall', main.clientHeight > canvas.height * 0.6);
};
larger.onclick = () => {
  larger.ariaPressed = String(main.classList.toggle('large'));
  fit();
};
new ResizeObserver(fit).observe(main);
const pointOf = (event) => {
  const box = canvas.getBoundingClientRect();
  const clamp = (value, most) => Math.max(0, Math.min(most, value));
  return { x: clamp((event.clientX - box.left) / box.width * size.width, size.width), y: clamp((event.clientY - box.top) / box.height * size.height, size.height) };
};
const mouse = (kind, event) => say({ type: 'mouse', kind, ...pointOf(event) });
let touch, moved = 0;
canvas.addEventListener('pointerdown', (event) => {
  if (!mayAct) return;
  canvas.focus({ preventScroll: true });
  if (event.pointerType !== 'mouse') { touch = { x: event.clientX, y: event.clientY, isDrag: false }; return; }
  canvas.setPointerCapture(event.pointerId);
  mouse('down', event);
});
canvas.addEventListener('pointermove', (event) => {
  if (!mayAct) return;
  if (event.pointerType !== 'mouse') {
    if (!touch) return;
    const [dx, dy] = [touch.x - event.clientX, touch.y - event.clientY];
    if (!touch.isDrag && Math.hypot(dx, dy) < 8) return;
    touch.isDrag = true;
    const scale = size.width / canvas.getBoundingClientRect().width;
    say({ type: 'wheel', ...pointOf(event), dx: dx * scale, dy: dy * scale });
    touch.x = event.clientX; touch.y = event.clientY;
    return;
  }
  if (performance.now() - moved < 30) return;
  moved = performance.now();
  mouse('move', event);
});
canvas.addEventListener('pointerup', (event) => {
  if (!mayAct) return;
  if (event.pointerType !== 'mouse') {
    if (touch && !touch.isDrag) { mouse('move', event); mouse('down', event); mouse('up', event); }
    touch = undefined;
    return;
  }
  mouse('up', event);
});
canvas.addEventListener('pointercancel', () => { touch = undefined; });
canvas.addEventListener('wheel', (event) => {
  if (!mayAct) return;
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 24 : 1;
  say({ type: 'wheel', ...pointOf(event), dx: event.deltaX * unit, dy: event.deltaY * unit });
}, { passive: false });
canvas.addEventListener('contextmenu', (event) => event.preventDefault());
const held = ['Control', 'Alt', 'Meta', 'Shift'];
canvas.addEventListener('keydown', (event) => {
  if (!mayAct || held.includes(event.key) || event.isComposing) return;
  if (event.key === 'Escape' && event.shiftKey) return address.focus();
  // What is pasted comes as a text of its own.
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') return;
  event.preventDefault();
  const names = [event.ctrlKey && 'Control', event.altKey && 'Alt', event.metaKey && 'Meta', event.shiftKey && event.key.length > 1 && 'Shift'].filter(Boolean);
  if (event.key.length === 1 && names.length === 0 && event.key.charCodeAt(0) > 126) return say({ type: 'paste', text: event.key });
  say({ type: 'key', key: [...names, event.key].join('+') });
});
addEventListener('paste', (event) => {
  if (!mayAct || document.activeElement === address) return;
  event.preventDefault();
  const text = event.clipboardData.getData('text');
  if (text) say({ type: 'paste', text: text.slice(0, 50000) });
});
// A keyboard on glass tells of no keys: it changes the text of a field. Something stands in it always, so that there is
// something to remove, and what differs is passed on.
const filler = '\\u200b\\u200b';
let typed = filler;
const refill = () => { keys.value = typed = filler; };
keys.addEventListener('input', (event) => {
  const [before, now] = [[...typed], [...keys.value]];
  let same = 0;
  while (same < before.length && before[same] === now[same]) same += 1;
  for (let left = before.length - same; left > 0; left -= 1) say({ type: 'key', key: 'Backspace' });
  const [first = '', ...lines] = now.slice(same).join('').split('\\n');
  if (first) say({ type: 'paste', text: first });
  for (const line of lines) {
    say({ type: 'key', key: 'Enter' });
    if (line) say({ type: 'paste', text: line });
  }
  typed = keys.value;
  if (!event.isComposing) refill();
});
keys.addEventListener('compositionend', refill);
keys.addEventListener('keydown', (event) => { if (!event.isComposing && ['Enter', 'Backspace', 'Tab', 'Escape', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(event.key)) { event.preventDefault(); say({ type: 'key', key: event.key }); } });
refill();
$('#keyboard').onclick = () => keys.focus();
$('#paste').hidden = !navigator.clipboard?.readText;
$('#paste').onclick = async () => {
  const text = await navigator.clipboard.readText().catch(() => undefined);
  if (text) say({ type: 'paste', text: text.slice(0, 50000) });
  else tell(text === '' ? 'There is nothing to paste.' : 'This page may not read what you copied. Paste with the keyboard.');
};
for (const to of ['back', 'forward', 'reload']) $('#' + to).onclick = () => say({ type: 'go', to });
address.addEventListener('keydown', (event) => {
  if (!mayAct || !['Enter', 'Escape'].includes(event.key)) return;
  event.preventDefault();
  if (event.key === 'Enter') say({ type: 'goto', url: (front = address.value.trim()) });
  canvas.focus();
});
address.addEventListener('focus', () => address.select());
address.addEventListener('blur', () => { address.value = front; });
connect();
`
