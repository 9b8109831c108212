// What the code for pages of several packages needs. It is bundled into their scripts, and is no entry point of this package.

/**
 * An element with the properties that only some kinds of elements have. Elements of frames are of another realm, so
 * `instanceof` does not distinguish them.
 */
export type AnyElement = Element & {
  readonly type?: string
  value?: string
  readonly checked?: boolean
  readonly disabled?: boolean
  readonly required?: boolean
  readonly alt?: string
  readonly placeholder?: string
  readonly title?: string
  readonly innerText?: string
  readonly isContentEditable?: boolean
  readonly multiple?: boolean
  readonly size?: number
  readonly open?: boolean
  readonly labels?: NodeListOf<HTMLLabelElement> | null
  readonly control?: HTMLElement | null
  readonly options?: HTMLOptionsCollection
  readonly selectedOptions?: HTMLCollectionOf<HTMLOptionElement>
  focus?(): void
  select?(): void
  click?(): void
}

/** The ARIA roles of the types of `input`; others are text boxes. */
export const inputRoles: Readonly<Record<string, string>> = {
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  search: 'searchbox',
}

/** Returns the element at a point, also in shadow roots. */
export function topmost(root: DocumentOrShadowRoot, x: number, y: number): Element | null {
  let hit = root.elementFromPoint(x, y)
  for (;;) {
    const inner: Element | null | undefined = hit?.shadowRoot?.elementFromPoint(x, y)
    if (!inner || inner === hit) return hit
    hit = inner
  }
}

/** Tells the page that a field was changed, as the browser does after an input. */
export function dispatchChange(field: Element): void {
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Waits until the next frame is drawn, at most for some milliseconds: pages in the background draw none. */
export function nextFrame(timeout: number): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0))
    setTimeout(resolve, timeout)
  })
}
