// Shows the connection state, and notices that disappear by themselves.
import { find, view } from './view.ts'

const cover = find('#cover')
const state = find('#state')
const toast = find('#toast')
const again = find('#again')

/** Shows the state. Unless it is `live`, a card with the title and the text covers the frame. */
export function show(name: 'wait' | 'live' | 'over', word: string, title = word, text = ''): void {
  state.dataset['state'] = name
  if (state.firstElementChild) state.firstElementChild.textContent = word
  view.isShown = name === 'live'
  cover.hidden = view.isShown
  again.hidden = view.tries === 0 || name === 'over'
  find('#card strong').textContent = title
  find('#why').textContent = text
}

const noticeTime = 6000
let noticeTimer: number | undefined

/** Shows a notice for six seconds. */
export function notify(text: string): void {
  toast.textContent = text
  clearTimeout(noticeTimer)
  noticeTimer = setTimeout(() => {
    toast.textContent = ''
  }, noticeTime)
}
