// Shows the delay between capturing and drawing a frame. The offset of the server's clock comes from its fastest response.
import { find, view } from './view.ts'

const lag = find('#lag')
const askEvery = 2000
const showEvery = 500

let timer: number | undefined
/** Milliseconds by which the server's clock is ahead of the clock of this page. */
let ahead = NaN
let fastest = Infinity
let requestedAt: number | undefined
/** Time of the last frame here minus its capture time on the server, in milliseconds; not yet corrected by `ahead`. */
let apart = NaN
let shownAt = NaN

/** Starts to request the time of the server every two seconds. */
export function startClock(): void {
  clearInterval(timer)
  ahead = NaN
  fastest = Infinity
  requestedAt = undefined
  apart = NaN
  timer = setInterval(ask, askEvery)
  ask()
}

/** Stops the requests and clears the display. */
export function stopClock(): void {
  clearInterval(timer)
  lag.textContent = ''
}

function ask(): void {
  const now = performance.now()
  const waits = requestedAt === undefined ? 0 : now - requestedAt
  if (waits > 0) return showLag(waits)
  if (view.socket?.readyState !== 1) return
  requestedAt = now
  view.socket.send(JSON.stringify({ type: 'time', at: now }))
}

/** Handles a response with the server's time. `at` is the time of the request. */
export function takeTime({ at, now }: { readonly at: number; readonly now: number }): void {
  const took = performance.now() - at
  requestedAt = undefined
  if (took <= fastest) {
    fastest = took
    ahead = now - (at + took / 2)
  }
  showLag(0)
}

/** Records the capture time of a frame that has just been drawn. */
export function takePicture(madeAt: number): void {
  apart = performance.now() - madeAt
  if (!(performance.now() - shownAt < showEvery)) showLag(0)
}

/** Shows the delay of the last frame or, if a request is pending for `waits` milliseconds, for how long. */
function showLag(waits: number): void {
  const age = Math.max(0, apart + ahead)
  if (!view.isShown || view.isOver || (waits === 0 && Number.isNaN(age))) return
  shownAt = performance.now()
  if (waits > 0) {
    lag.textContent = `over ${Math.round(waits / 1000)} s`
    lag.title = 'The time since the last response of the server.'
  } else {
    lag.textContent = age < 1000 ? `${Math.round(age)} ms` : `${(age / 1000).toFixed(1)} s`
    lag.title = 'The delay of the last picture.'
  }
}
