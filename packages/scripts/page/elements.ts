// Reads the role, name, text and attributes of elements.
import { inputRoles, type AnyElement } from '../../ports/page/elements.ts'
import { pageLimits } from '../src/page/limits.ts'

/**
 * Collapses whitespace and truncates the string to `pageLimits.text` characters. Returns an empty string for other types,
 * because a form field can shadow a property of its form.
 */
export const clean = (text: unknown): string =>
  (typeof text === 'string' ? text : '').replace(/\s+/g, ' ').trim().slice(0, pageLimits.text)

/** Selector for form fields. */
export const fields = 'input:not([type=hidden]), select, textarea'

/** Selector for interactive elements. */
export const actable = `${fields}, a, button, summary, [role=button], [role=link], [role=checkbox], [role=radio], [role=switch], [role=tab], [role=menuitem], [role=menuitemcheckbox], [role=menuitemradio], [role=option], [role=treeitem], [role=textbox], [role=searchbox], [role=combobox], [role=slider], [role=spinbutton], [contenteditable=""], [contenteditable=true]`

const tagRoles: Readonly<Record<string, string>> = {
  a: 'link',
  button: 'button',
  textarea: 'textbox',
  summary: 'button',
  option: 'option',
}

/** Returns the ARIA role of an element, or `generic`. */
export function roleOf(element: AnyElement): string {
  const explicit = element.getAttribute('role')
  if (explicit && explicit !== 'none' && explicit !== 'presentation') return explicit.split(' ')[0] ?? ''
  const tag = element.localName
  if (tag === 'select') return element.multiple || (element.size ?? 0) > 1 ? 'listbox' : 'combobox'
  if (tag === 'input') return inputRoles[element.type ?? ''] ?? 'textbox'
  const parent: AnyElement | null = element.parentElement
  if (element.isContentEditable && !parent?.isContentEditable) return 'textbox'
  return tagRoles[tag] ?? 'generic'
}

/** Returns whether an element is a form field. */
export const isField = (element: Element): boolean => element.matches(fields)

/** Returns the text directly in an element, without its child elements. */
export const ownText = (element: Element): string =>
  clean(
    [...element.childNodes]
      .filter((node) => node.nodeType === 3)
      .map((node) => node.nodeValue)
      .join(' '),
  )

/** Returns the visible text of an element. Empty if it has none. */
export const textOf = (element: AnyElement): string => clean(element.innerText ?? element.textContent)

/** Returns the document or shadow root that contains an element. */
export const rootOf = (element: Node): Document | ShadowRoot => element.getRootNode() as Document | ShadowRoot

/** Returns the host of the shadow root that contains an element, or `undefined` outside of shadow roots. */
export const hostOf = (element: Node): Element | undefined => {
  const root = rootOf(element)
  return 'host' in root ? root.host : undefined
}

/** Returns the text of all labels of a field. Empty if it has none. */
export function labelOf(element: AnyElement): string {
  const texts = [...(element.labels ?? [])].map((label) => {
    const copy = label.cloneNode(true) as Element
    for (const inner of copy.querySelectorAll(`${fields}, button`)) inner.remove()
    return clean(copy.textContent)
  })
  return clean(texts.join(' '))
}

/** Returns an approximation of the accessible name of an element. Empty if it has none. */
export function nameOf(element: AnyElement): string {
  const by = element.getAttribute('aria-labelledby')
  if (by) {
    const root = rootOf(element)
    const names = by.split(/\s+/).slice(0, 5)
    const label = clean(names.map((id) => root.getElementById?.(id)?.textContent ?? '').join(' '))
    if (label) return label
  }
  const ariaLabel = clean(element.getAttribute('aria-label'))
  if (ariaLabel) return ariaLabel
  if (isField(element)) {
    const isButton = element.localName === 'input' && /^(?:button|submit|reset)$/.test(element.type ?? '')
    const value = isButton && clean(element.value)
    return value || labelOf(element) || clean(element.alt) || clean(element.placeholder) || clean(element.title)
  }
  const picture: AnyElement | null = element.localName === 'img' ? element : element.querySelector('img[alt]')
  return textOf(element) || clean(picture?.alt) || clean(element.title)
}

const attributeNames =
  'id name type placeholder title alt href data-testid data-test data-test-id data-qa data-cy data-id autocomplete class'

/** Returns the attributes that help to find an element again: well-known ones, and short `data-` ones up to 16 in total. */
export function attributesOf(element: Element): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of attributeNames.split(' ')) {
    const value = element.getAttribute(name)
    if (value && value.length <= 200) found[name] = name === 'href' ? value.split(/[?#]/)[0] || value : value.trim()
  }
  for (const { name, value } of [...element.attributes].slice(0, 30)) {
    const isShort = value !== '' && value.length <= 60
    if (/^data-[a-z-]{1,40}$/.test(name) && isShort && Object.keys(found).length < 16) found[name] ??= value.trim()
  }
  return found
}
