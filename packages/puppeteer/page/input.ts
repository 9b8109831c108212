import { dispatchChange, type AnyElement } from '../../ports/page/elements.ts'

/** Returns whether an element that accepts text is focused, also inside shadow roots, or whether a frame is. */
export function readFocus(): 'none' | 'frame' | 'some' {
  let element: AnyElement | null = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  if (!element || element === document.documentElement) return 'none'
  if (element.localName === 'iframe' || element.localName === 'frame') return 'frame'
  const isEditable = element.isContentEditable || document.designMode === 'on'
  return element === document.body && !isEditable ? 'none' : 'some'
}

function canMove(element: Element, isUp: boolean): boolean {
  const room = isUp ? element.scrollTop : element.scrollHeight - element.clientHeight - element.scrollTop
  if (room < 1) return false
  if (element === document.scrollingElement) return true
  return /auto|scroll|overlay/.test(getComputedStyle(element).overflowY)
}

/** Returns the element that a mouse wheel over the target, or over the middle of the window, would scroll. */
function scrollableAt(target: Element | undefined, isUp: boolean): Element {
  let element: Element | null | undefined = target ?? document.elementFromPoint(innerWidth / 2, innerHeight / 2)
  while (element && !canMove(element, isUp)) element = target ? undefined : element.parentElement
  return element ?? target ?? document.scrollingElement ?? document.documentElement
}

function scroll(target: Element | undefined, isUp: boolean, share: number, isDrawn: boolean): 'gone' | 'done' {
  if (target && !target.isConnected) return 'gone'
  target?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  const element = scrollableAt(target, isUp)
  const isPage = element === (document.scrollingElement ?? document.documentElement)
  const height = isPage ? innerHeight : element.clientHeight
  const before = element.scrollTop
  element.scrollBy({ top: (isUp ? -1 : 1) * height * share, behavior: 'instant' })
  // Without images, a page may be too short to scroll. It gets the event anyway, so that it loads more content.
  if (!isDrawn && !isUp && element.scrollTop === before)
    (isPage ? document : element).dispatchEvent(new Event('scroll', { bubbles: isPage }))
  return 'done'
}

/** Scrolls the page, or a scrollable element in the middle of the window, by a share of its visible height. */
export const scrollPage = (isUp: boolean, share: number, isDrawn: boolean): string =>
  scroll(undefined, isUp, share, isDrawn)

/** Scrolls an element by a share of its visible height. */
export const scrollElement = (node: Node, isUp: boolean, share: number, isDrawn: boolean): string =>
  scroll(node.nodeType === 1 ? (node as Element) : undefined, isUp, share, isDrawn)

/** Focuses an element and selects its text. */
export function selectAll(element: AnyElement): void {
  element.focus?.()
  if (typeof element.select === 'function') element.select()
  else getSelection()?.selectAllChildren(element)
}

/** Selects the option with this label or value. Returns `false` if there is none. */
export function chooseOption(list: AnyElement, wanted: string): boolean {
  const option = [...(list.options ?? [])].find((one) => one.label.trim() === wanted || one.value === wanted)
  if (!option) return false
  list.value = option.value
  dispatchChange(list)
  return true
}
