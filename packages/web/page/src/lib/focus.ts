import { arrival } from './router.ts'

/**
 * Keeps the focus from falling back to the body when the focused element is removed or disabled. Otherwise keyboard users would
 * restart at the top, and screen readers would announce nothing.
 */
export function keepFocus(): void {
  let held: Element | undefined
  const isUsable = (element: Element): boolean => element.isConnected && !element.matches(':disabled')
  addEventListener('focusin', ({ target }) => {
    held = target instanceof Element ? target : undefined
  })
  addEventListener('focusout', ({ target }) => {
    // The user has left the element, unless it is removed a moment later.
    setTimeout(() => {
      const isAtBody = document.activeElement === document.body
      if (isAtBody && target === held && held && isUsable(held)) held = undefined
    })
  })
  const restore = (): void => {
    if (!held || document.activeElement !== document.body) return
    if (isUsable(held)) return (held as HTMLElement).focus()
    if (held.isConnected) return
    const heading = document.querySelector<HTMLElement>('main h1')
    held = undefined
    if (heading) heading.focus()
    else arrival.isNew = true
  }
  // The browser moves the focus only after the change was rendered.
  const observer = new MutationObserver(() => requestAnimationFrame(() => setTimeout(restore)))
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
