import { arrival } from './router.ts'

/**
 * Sees to it that the focus never falls to the body because what had it is gone, or cannot be used while something is
 * under way: who uses the keyboard would begin again at the top, and who hears the page would hear nothing.
 */
export function keepFocus(): void {
  let held: Element | undefined
  const isUsable = (element: Element): boolean => element.isConnected && !element.matches(':disabled')
  addEventListener('focusin', ({ target }) => {
    held = target instanceof Element ? target : undefined
  })
  addEventListener('focusout', ({ target }) => {
    // A person has left it, unless it is gone a moment later.
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
  // The browser takes the focus away after what has changed was drawn.
  const observer = new MutationObserver(() => requestAnimationFrame(() => setTimeout(restore)))
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
}
