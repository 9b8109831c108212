// Rules for states that visitors or scripts cause, such as `:hover` and `.is-open`.
const pointerState =
  /:(?:hover|focus(?:-within|-visible)?|active|checked|target(?:-within)?|popover-open|open)(?![\w-])/gi
const scriptState =
  /\.(?:is-|has-)?(?:open|opened|active|show|shown|in|visible|expanded|selected|current|on|toggled)(?![\w-])|\[(?:open|aria-(?:expanded|selected)\s*=\s*["']?true["']?|aria-hidden\s*=\s*["']?false["']?)\]/gi

/** Returns whether the rule applies only in a state that a visitor causes, such as `:hover` or `:checked`. */
export const isPointerRule = (selector: string): boolean => selector.includes(':') && selector.search(pointerState) >= 0

/** Returns whether the selector contains a state that a visitor or a script causes. */
export const hasState = (selector: string): boolean => isPointerRule(selector) || selector.search(scriptState) >= 0

/**
 * Returns the selector without its states, and who causes them. `undefined` if it contains none, or if it needs the element
 * itself to be hovered, focused or active, as a hidden one cannot be.
 */
export function fillStates(
  selector: string,
): { readonly selector: string; readonly state: 'pointer' | 'script' } | undefined {
  if (!hasState(selector)) return undefined
  const isPointer = isPointerRule(selector)
  // A hidden element cannot be hovered or focused.
  if (isPointer && /:(?:hover|focus|active)[^\s>+~]*$/i.test(selector)) return undefined
  const rest = selector
    .replaceAll(pointerState, '')
    .replaceAll(scriptState, '')
    .replaceAll(/(^|[\s>+~])(?=[\s>+~]|$)/g, '$1')
  const filled = rest.trim().replaceAll(/(^|[>+~])\s*(?=[>+~]|$)/g, '$1 * ')
  return { selector: filled, state: isPointer ? 'pointer' : 'script' }
}

/** Returns whether the declaration makes an element visible that is hidden by the property. */
export function reveals({ name, value }: { readonly name: string; readonly value: string }, property: string): boolean {
  if (name !== property && !(property === 'height' && name === 'max-height')) return false
  return !/^(?:none|hidden|collapse|0(?:\.0+)?(?:px)?|inherit|initial|unset)$/.test(value)
}
