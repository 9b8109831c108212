import type { ScreenInput } from '@harvestman/ports'

import { mayOpen } from '../fence/urls.ts'
import { actionFailed } from '../lib/errors.ts'
import { keyEvents, parseStroke } from '../tab/keys.ts'
import type { LiveTabs, TabPage } from './tabs.ts'

type InputOf<Type extends ScreenInput['type']> = Extract<ScreenInput, { readonly type: Type }>

type Hands = { readonly [Type in ScreenInput['type']]: (liveTabs: LiveTabs, input: InputOf<Type>) => Promise<void> }

const mouseKinds = { down: 'mousePressed', up: 'mouseReleased', move: 'mouseMoved' } as const

const hands: Hands = {
  mouse: async (liveTabs, { kind, x, y }) => {
    const page = await liveTabs.page()
    const button = kind === 'move' ? 'none' : 'left'
    await page.send('Input.dispatchMouseEvent', {
      type: mouseKinds[kind],
      x,
      y,
      button,
      clickCount: kind === 'move' ? 0 : 1,
    })
  },
  wheel: async (liveTabs, { x, y, dx, dy }) => {
    const page = await liveTabs.page()
    await page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: dx, deltaY: dy })
  },
  key: async (liveTabs, { key }) => pressKey(await liveTabs.page(), key),
  paste: async (liveTabs, { text }) => {
    const page = await liveTabs.page()
    await page.send('Input.insertText', { text })
  },
  goto: async (liveTabs, { url }) => goTo(await liveTabs.page(), url),
  go: async (liveTabs, { to }) => go(await liveTabs.page(), to),
  tab: (liveTabs, { id }) => liveTabs.show(id),
}

/**
 * Performs the input of a viewer, such as a click or a key, on the tab in front. Rejects with `action_failed` if it is not
 * possible, and with `browser_failed` if the browser fails or has no tab. Ignores a choice of an unknown tab.
 */
export function takeInput<Type extends ScreenInput['type']>(liveTabs: LiveTabs, input: InputOf<Type>): Promise<void> {
  const hand = hands[input.type]
  return hand(liveTabs, input)
}

/** Opens a URL, by default with `https:`. Rejects with `action_failed` if `mayOpen` forbids it or it cannot be opened. */
export async function goTo(page: TabPage, url: string): Promise<void> {
  const address = /^[a-z][a-z0-9+.-]*:/i.test(url) && !/^[\w.-]+:\d+/.test(url) ? url : `https://${url}`
  if (!mayOpen(address)) throw actionFailed('A live browser opens only http and https URLs.')
  const { errorText } = await page.send('Page.navigate', { url: address })
  if (typeof errorText === 'string') throw actionFailed(`The URL could not be opened. ${reasonOf(errorText)}`)
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/ERR_NAME_|ERR_TUNNEL_|ERR_PROXY_/, 'The host does not exist, or is blocked.'],
  [/ERR_CONNECTION_|ERR_ADDRESS_/, 'The host does not respond.'],
  [/ERR_CERT_|ERR_SSL_/, 'The certificate of the host is invalid.'],
  [/ERR_TIMED_OUT/, 'The host did not respond in time.'],
]

function reasonOf(errorText: string): string {
  return reasons.find(([pattern]) => pattern.test(errorText))?.[1] ?? `The browser says ${errorText}.`
}

/** Goes back, forward, or reloads the page. Rejects with `action_failed` if there is no such page. */
export async function go(page: TabPage, to: 'back' | 'forward' | 'reload'): Promise<void> {
  if (to === 'reload') {
    await page.send('Page.reload')
    return
  }
  const history = await page.send('Page.getNavigationHistory')
  const entries = history['entries'] as readonly { readonly id: number }[]
  const entry = entries[Number(history['currentIndex']) + (to === 'back' ? -1 : 1)]
  if (!entry) throw actionFailed(`There is no page to go ${to} to.`)
  await page.send('Page.navigateToHistoryEntry', { entryId: entry.id })
}

/** Presses a key, with modifiers before it, such as `Control+a`. Rejects with `action_failed` if there is no such key. */
export async function pressKey(page: TabPage, name: string): Promise<void> {
  const stroke = parseStroke(name)
  if (!stroke) throw actionFailed(`"${name.slice(0, 50)}" is not a key.`)
  for (const event of keyEvents(stroke)) await page.send('Input.dispatchKeyEvent', event)
}
