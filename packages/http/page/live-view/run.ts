// Entry point of the live view page.
import { connect, retryEarly } from './connection.ts'
import { listenToKeys, listenToTouchKeys, offerPasting } from './keyboard.ts'
import { followSize } from './picture.ts'
import { listenToPointer } from './pointer.ts'
import { listenToUrlBar } from './tabs.ts'
import { find, send } from './view.ts'

/** Adds all listeners and connects. */
export function runLiveView(): void {
  retryEarly()
  followSize()
  listenToPointer()
  listenToKeys()
  listenToTouchKeys()
  offerPasting()
  for (const to of ['back', 'forward', 'reload'])
    find(`#${to}`).addEventListener('click', () => send({ type: 'go', to }))
  listenToUrlBar()
  connect()
}
