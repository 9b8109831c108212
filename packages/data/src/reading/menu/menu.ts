import { type Base, type Element, collectData } from '@harvestman/html/internal'
import { markedMenu, merchantOf } from './marked.ts'
import { shownMenu } from './shown.ts'
import type { Menu } from './types.ts'

/** Reads the menu of a restaurant from structured data, otherwise from visible text. Returns `undefined` if there is none. */
export function menuIn(root: Element, base: Base): Menu | undefined {
  const data = collectData(root, base, { wanted: new Set() })
  const shown = (): Menu | undefined => {
    const menu = shownMenu(root, base)
    return menu && { ...menu, ...merchantOf(data) }
  }
  return markedMenu(data, base) ?? shown()
}
