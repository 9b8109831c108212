// How long after it was made a picture is shown. The clock of the server is learned from its fastest response.
import { find, view } from './view.ts'

const lag = find('#lag')
const askEvery = 2000
const showEvery = 500

let timer: number | undefined
/** How far the server's clock is ahead of ours. */
let ahead = NaN
let fastest = Infinity
let requestedAt: number | undefined
/** Our time minus the server's time, of the last picture. */
let apart = NaN
let shownAt = NaN

/** Asks the server for its time from now on. */
export function startClock(): void {
  clearInterval(timer)
  ahead = NaN
  fastest = Infinity
  requestedAt = undefined
  apart = NaN
  timer = setInterval(ask, askEvery)
  ask()
}

/** Stops asking, and shows nothing. */
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

/** Takes the server's time. */
export function takeTime({ at, now }: { readonly at: number; readonly now: number }): void {
  const took = performance.now() - at
  requestedAt = undefined
  if (took <= fastest) {
    fastest = took
    ahead = now - (at + took / 2)
  }
  showLag(0)
}

/** Takes the server's time of a picture that is shown now. */
export function takePicture(madeAt: number): void {
  apart = performance.now() - madeAt
  if (!(performance.now() - shownAt < showEvery)) showLag(0)
}

/** Shows the age of the last picture, or how long the server has not answered. */
function showLag(waits: number): void {
  const age = Math.max(0, apart + ahead)
  if (!view.isShown || view.isOver || (waits === 0 && Number.isNaN(age))) return
  shownAt = performance.now()
  if (waits > 0) {
    lag.textContent = `over ${Math.round(waits / 1000)} s`
    lag.title = 'The server has not answered for this long.'
  } else {
    lag.textContent = age < 1000 ? `${Math.round(age)} ms` : `${(age / 1000).toFixed(1)} s`
    lag.title = 'The last picture was shown this long after it was made.'
  }
}
