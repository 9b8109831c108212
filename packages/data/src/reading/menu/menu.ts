// The door of this room: the menu of a page, as it is marked or else as it is shown.
import { type Base, type Element, collectData } from '@harvestman/html/internal'
import { markedMenu, merchantOf } from './marked.ts'
import { shownMenu } from './shown.ts'
import type { Menu } from './types.ts'

/** Reads the menu of a restaurant; nothing when the page has none. */
export function menuIn(root: Element, base: Base): Menu | undefined {
  const data = collectData(root, base, new Set())
  const shown = (): Menu | undefined => {
    const menu = shownMenu(root, base)
    return menu && { ...menu, ...merchantOf(data) }
  }
  return markedMenu(data, base) ?? shown()
}
