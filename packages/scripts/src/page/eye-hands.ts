// What is done to an element that was found, and where it can be clicked.

/** What of `eyes` is about acts. */
export const handSource = /* js */ `
// Where to click it: in the middle, or where another one leaves it free.
const shares = [0.5, 0.2, 0.8, 0.05, 0.95]
const aims = shares.flatMap((down) => shares.map((across) => [across, down]))
const isHitAt = (element, x, y) => {
  const hit = topmost(element.ownerDocument, x, y)
  return hit && (element.contains(hit) || hit.contains(element) && hit.localName === 'label' || [...(element.labels ?? [])].some((label) => label.contains(hit)) || rootOf(hit) !== rootOf(element) && element.shadowRoot?.contains(hit))
}
const hands = {
  aim: (index) => {
    const element = found[index]
    if (!element?.isConnected || !element.ownerDocument.defaultView) return { problem: 'is gone' }
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    if (element.matches(':disabled')) return { problem: 'is disabled' }
    const rect = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0)
    if (!rect) return { problem: 'cannot be seen' }
    const view = element.ownerDocument.defaultView
    const [left, right] = [Math.max(0, rect.left), Math.min(view.innerWidth, rect.right)]
    const [top, bottom] = [Math.max(0, rect.top), Math.min(view.innerHeight, rect.bottom)]
    for (const [across, down] of aims) {
      const [x, y] = [left + (right - left) * across, top + (bottom - top) * down]
      const aim = isHitAt(element, x, y) ? inPage(element, x, y) : undefined
      if (aim) return aim
    }
    return { problem: 'is covered by another one' }
  },
  focus: (index, all) => {
    const element = found[index]
    if (!element?.isConnected || !element.ownerDocument.defaultView) return false
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    element.focus()
    if (all && typeof element.select === 'function') element.select()
    else if (all) element.ownerDocument.getSelection().selectAllChildren(element)
    return true
  },
  put: (index, value) => {
    const element = found[index]
    const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set
    element.focus()
    setter?.call(element, value)
    element.dispatchEvent(new Event('input', { bubbles: true }))
    element.dispatchEvent(new Event('change', { bubbles: true }))
    return true
  },
  choose: (index, labels) => {
    const options = [...(found[index]?.options ?? [])]
    const wanted = labels.map((label) => options.filter((one) => clean(one.label) === label || one.value === label))
    const odd = wanted.findIndex((some) => some.length !== 1)
    if (odd >= 0) return { problem: wanted[odd].length === 0 ? 'has no option' : 'has several options', odd }
    found[index].focus()
    for (const option of options) option.selected = wanted.some(([one]) => one === option)
    found[index].dispatchEvent(new Event('input', { bubbles: true }))
    found[index].dispatchEvent(new Event('change', { bubbles: true }))
    return null
  },
}`
