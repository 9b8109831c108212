// The page of the live view. It is small enough to be one answer, and asks for nothing but its WebSocket.

export const viewStyle = /* css */ `
:root { color-scheme: light dark; --page: #0f1115; --cover: rgb(15 17 21 / .88); --bar: #1b1e24; --line: #2c313a; --text: #e8eaed; --quiet: #9aa3af; --mark: #4ade80; --warn: #fbbf24; }
@media (prefers-color-scheme: light) { :root { --page: #e4e7ec; --cover: rgb(244 245 248 / .92); --bar: #fff; --line: #d3d8e0; --text: #16191f; --quiet: #566070; --mark: #16a34a; --warn: #b45309; } }
* { box-sizing: border-box; }
html, body { margin: 0; height: 100%; overflow: hidden; background: var(--page); color: var(--text); font: 14px/1.4 system-ui, sans-serif; }
body { display: flex; flex-direction: column; height: 100dvh; }
header { display: flex; gap: 6px; align-items: center; padding: 8px; background: var(--bar); border-bottom: 1px solid var(--line); }
button { min-width: 36px; height: 36px; border: 0; border-radius: 8px; background: transparent; color: var(--text); font: inherit; font-size: 17px; cursor: pointer; }
button:hover:not(:disabled) { background: var(--line); }
button:disabled { opacity: .35; cursor: default; }
:focus-visible { outline: 2px solid #60a5fa; outline-offset: 1px; }
#address { flex: 1; min-width: 0; height: 36px; padding: 0 12px; border: 1px solid var(--line); border-radius: 18px; background: var(--page); color: var(--text); font: inherit; text-overflow: ellipsis; }
#state { display: flex; gap: 6px; align-items: center; padding: 0 8px; color: var(--quiet); white-space: nowrap; }
#state::before { content: ''; width: 9px; height: 9px; border-radius: 50%; background: var(--warn); }
#state[data-state=live]::before { background: var(--mark); }
#state[data-state=over]::before { background: #f87171; }
nav { display: flex; gap: 4px; overflow-x: auto; padding: 0 8px; background: var(--bar); border-bottom: 1px solid var(--line); }
nav:empty { display: none; }
nav button { flex: 0 1 200px; height: 32px; padding: 0 12px; overflow: hidden; font-size: 13px; color: var(--quiet); text-align: left; text-overflow: ellipsis; white-space: nowrap; border-radius: 8px 8px 0 0; }
nav button[aria-selected=true] { background: var(--page); color: var(--text); }
main { position: relative; flex: 1; display: grid; place-items: center; min-height: 0; overflow: hidden; touch-action: pinch-zoom; }
canvas { display: block; max-width: 100%; max-height: 100%; background: #fff; }
canvas.act { cursor: default; outline: none; }
#keys { position: fixed; left: 0; bottom: 0; width: 1px; height: 1px; padding: 0; border: 0; opacity: 0; font-size: 16px; }
#cover { position: absolute; inset: 0; display: grid; place-content: center; gap: 8px; padding: 24px; background: var(--cover); text-align: center; }
#cover[hidden] { display: none; }
#cover strong { font-size: 18px; }
#cover span { color: var(--quiet); }
#toast { position: absolute; left: 50%; bottom: 16px; transform: translateX(-50%); max-width: 90%; padding: 8px 14px; border-radius: 8px; background: #3b2a12; color: #fde68a; }
#toast:empty { display: none; }
#keyboard { display: none; }
@media (pointer: coarse) { body.act #keyboard { display: block; } #address { font-size: 16px; } }
@media (max-width: 560px) { #state span { display: none; } #forward { display: none; } main { place-items: start center; } }
body.watch .act-only { display: none; }
`

export const viewBody = /* html */ `<body class="watch"><header>
<button id="back" class="act-only" title="Back" aria-label="Back">←</button>
<button id="forward" class="act-only" title="Forward" aria-label="Forward">→</button>
<button id="reload" class="act-only" title="Reload" aria-label="Reload">↻</button>
<input id="address" aria-label="Address" autocomplete="off" autocapitalize="off" spellcheck="false" readonly>
<button id="keyboard" class="act-only" title="Keyboard" aria-label="Keyboard">⌨</button>
<div id="state" role="status"><span>Connecting</span></div></header>
<nav role="tablist" aria-label="Tabs"></nav>
<main><canvas width="1280" height="800" tabindex="0" aria-label="The page of the live browser"></canvas>
<textarea id="keys" aria-hidden="true" tabindex="-1" autocapitalize="off" autocomplete="off" autocorrect="off"></textarea>
<div id="cover"><strong>Connecting</strong><span></span></div><div id="toast" role="alert"></div></main>`

export const viewScript = /* js */ `'use strict';
const $ = (selector) => document.querySelector(selector);
const canvas = $('canvas'), keys = $('#keys'), address = $('#address'), cover = $('#cover'), toast = $('#toast'), state = $('#state');
const pen = canvas.getContext('2d');
let socket, mayAct = false, size = { width: 1280, height: 800 }, tries = 0, isOver = false, hasFrame = false, latest;
const show = (name, title, text) => {
  state.dataset.state = name;
  state.firstElementChild.textContent = title;
  cover.hidden = name === 'live';
  cover.children[0].textContent = title;
  cover.children[1].textContent = text ?? '';
};
const say = (message) => { if (mayAct && socket?.readyState === 1) socket.send(JSON.stringify(message)); };
const tell = (text) => { toast.textContent = text; clearTimeout(tell.timer); tell.timer = setTimeout(() => { toast.textContent = ''; }, 4000); };
const draw = async (data) => {
  latest = data;
  if (draw.isBusy) return;
  draw.isBusy = true;
  while (latest) {
    const bytes = latest;
    latest = undefined;
    const head = new DataView(bytes);
    size = { width: head.getUint32(0), height: head.getUint32(4) };
    const picture = await createImageBitmap(new Blob([bytes.slice(8)], { type: 'image/jpeg' })).catch(() => undefined);
    if (socket.readyState === 1) socket.send('seen');
    if (!picture) continue;
    if (canvas.width !== picture.width || canvas.height !== picture.height) { canvas.width = picture.width; canvas.height = picture.height; }
    pen.drawImage(picture, 0, 0);
    picture.close();
    canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
    if (!hasFrame) { hasFrame = true; show('live', 'Live'); }
  }
  draw.isBusy = false;
};
const shown = {
  hello: (message) => {
    mayAct = message.mayAct;
    document.body.className = mayAct ? 'act' : 'watch';
    canvas.classList.toggle('act', mayAct);
    address.readOnly = !mayAct;
    tries = 0;
    show(hasFrame ? 'live' : 'wait', hasFrame ? 'Live' : 'Waiting for the page');
  },
  tabs: ({ tabs }) => {
    const front = tabs.find((tab) => tab.isShown);
    if (front && document.activeElement !== address) address.value = front.url;
    document.title = front?.title ? front.title + ' – live view' : 'Live view';
    $('nav').replaceChildren(...(tabs.length < 2 ? [] : tabs.map((tab) => {
      const button = document.createElement('button');
      button.role = 'tab';
      button.ariaSelected = String(tab.isShown);
      button.textContent = tab.title || tab.url;
      button.disabled = !mayAct && !tab.isShown;
      button.onclick = () => say({ type: 'tab', id: tab.id });
      return button;
    })));
  },
  failed: ({ error }) => tell(error),
};
const over = (text) => { isOver = true; mayAct = false; address.readOnly = true; document.body.className = 'watch'; for (const tab of $('nav').children) tab.disabled = true; show('over', 'This session has ended', text); };
const connect = () => {
  const url = new URL(location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.pathname = url.pathname.replace(/\\/$/, '') + '/screen';
  url.hash = '';
  socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  let wasOpen = false;
  socket.onopen = () => { wasOpen = true; };
  socket.onmessage = ({ data }) => {
    if (typeof data !== 'string') return void draw(data);
    const message = JSON.parse(data);
    shown[message.type]?.(message);
  };
  socket.onclose = ({ code }) => {
    if (isOver) return;
    if (code === 1000) return over('The browser was stopped, or its time was up.');
    if (!wasOpen && ++tries >= 3) return over('This address is not good any more, or never was.');
    show('wait', 'Connecting again', 'The connection was lost.');
    setTimeout(connect, Math.min(500 * 2 ** tries, 8000));
  };
};
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
$('#keyboard').onclick = () => keys.focus();
keys.addEventListener('input', () => { if (keys.value) say({ type: 'paste', text: keys.value }); keys.value = ''; });
keys.addEventListener('keydown', (event) => { if (['Enter', 'Backspace', 'Tab', 'Escape'].includes(event.key)) { event.preventDefault(); say({ type: 'key', key: event.key }); } });
for (const to of ['back', 'forward', 'reload']) $('#' + to).onclick = () => say({ type: 'go', to });
address.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !mayAct) return;
  say({ type: 'goto', url: address.value.trim() });
  canvas.focus();
});
address.addEventListener('focus', () => address.select());
connect();
`
