// The WebSocket of the session. A lost connection is reopened until the session has ended.
import { startClock, stopClock, takeTime } from './clock.ts'
import { notify, show } from './messages.ts'
import { draw } from './picture.ts'
import { showTabs } from './tabs.ts'
import { elements, find, view } from './view.ts'

const { address, canvas, tabs } = elements

type Message =
  | ({ readonly type: 'time' } & Parameters<typeof takeTime>[0])
  | { readonly type: 'hello'; readonly mayAct: boolean }
  | ({ readonly type: 'tabs' } & Parameters<typeof showTabs>[0])
  | { readonly type: 'failed'; readonly error: string }

let wasConnected = false

// Ignores unknown messages: the server may be newer than this page.
function receive(message: Message): void {
  if (message.type === 'time') takeTime(message)
  else if (message.type === 'hello') welcome(message.mayAct)
  else if (message.type === 'tabs') showTabs(message)
  else if (message.type === 'failed') notify(message.error)
}

function welcome(mayAct: boolean): void {
  wasConnected = true
  startClock()
  view.mayAct = mayAct
  document.body.className = mayAct ? 'act' : 'watch'
  const keys = mayAct ? ' It receives your keys. Press Shift and Escape to leave it.' : ''
  canvas.ariaLabel = `The page of the live browser.${keys}`
  address.readOnly = !mayAct
  show('wait', 'Connected', 'Waiting for the page')
}

function end(word: string, title: string, text: string): void {
  view.isOver = true
  stopClock()
  view.mayAct = false
  address.readOnly = true
  document.body.className = 'watch'
  for (const tab of tabs.children) tab.ariaDisabled = 'true'
  show('over', word, title, text)
}

// The first sentence of the close reason is the title, the rest is the cause.
function sessionEnded(reason = ''): void {
  const [what = '', ...why] = reason.split(/(?<=\.) /)
  const cause = why.join(' ') || 'The browser was stopped, reached its time limit, or its server restarted.'
  end('Ended', what.replace(/\.$/, '') || 'This session has ended', cause)
}

function screenUrl(): URL {
  const url = new URL(location.href)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/screen`
  url.hash = ''
  return url
}

const statusTimeout = 10_000

// Browsers hide why a WebSocket could not be opened. A plain request to the same URL returns the status.
const statusOfScreen = (): Promise<number> =>
  fetch(screenUrl(), { cache: 'no-store', signal: AbortSignal.timeout(statusTimeout) }).then(
    ({ status }) => status,
    () => 0,
  )

let retryTimer: number | undefined

async function connectionLost(wasOpen: boolean): Promise<void> {
  stopClock()
  view.tries += 1
  const first = wasConnected ? 'The connection was lost.' : ''
  const since = view.tries === 1 ? first : `The server cannot be reached. Attempt ${view.tries}.`
  show('wait', 'Reconnecting', wasConnected ? 'Reconnecting' : 'Connecting', since)
  if (!wasOpen && (await isRefused())) return
  retryTimer = setTimeout(connect, Math.min(250 * 2 ** view.tries, 8000))
}

/** Shows why the WebSocket could not be opened. Returns true if a retry is pointless. */
async function isRefused(): Promise<boolean> {
  const status = await statusOfScreen()
  if ([401, 403, 404, 410].includes(status)) {
    const cause = 'Its session has ended, or a part of the URL is missing. Request a new link.'
    if (wasConnected) sessionEnded()
    else end('Refused', 'This link is not valid', cause)
    return true
  }
  const cause = 'The server responds, but opens no WebSocket. A proxy in front of it must allow WebSockets.'
  if (status === 400) show('wait', 'Reconnecting', 'Connecting', cause)
  return false
}

/** Opens the connection. */
export function connect(): void {
  clearTimeout(retryTimer)
  retryTimer = undefined
  const url = screenUrl()
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url)
  view.socket = socket
  socket.binaryType = 'arraybuffer'
  let wasOpen = false
  socket.addEventListener('open', () => {
    wasOpen = true
  })
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') receive(JSON.parse(data) as Message)
    else void draw(data)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    if (view.isOver) return
    if (code === 1000) sessionEnded(reason)
    else void connectionLost(wasOpen)
  })
}

/** Reconnects at once when the user clicks the button, the network returns or the page becomes visible. */
export function retryEarly(): void {
  const hasten = (): void => {
    if (retryTimer !== undefined) connect()
  }
  find('#again').addEventListener('click', hasten)
  addEventListener('online', hasten)
  // After sleep, a phone may not have noticed that the connection is dead. Sending a message reveals it.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    hasten()
    if (view.socket?.readyState === 1) view.socket.send('seen')
  })
}
