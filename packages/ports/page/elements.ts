// Shared helpers for scripts that packages run in pages. They are bundled into these scripts, and are not an entry point.

/**
 * An element with the properties that only some kinds of elements have. Elements of frames belong to another realm, so
 * `instanceof` does not work for them.
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

/** ARIA roles by `type` of an `input`. All other types are text boxes. */
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

/** Returns the topmost element at a point, also inside open shadow roots. */
export function topmost(root: DocumentOrShadowRoot, x: number, y: number): Element | null {
  let hit = root.elementFromPoint(x, y)
  for (;;) {
    const inner: Element | null | undefined = hit?.shadowRoot?.elementFromPoint(x, y)
    if (!inner || inner === hit) return hit
    hit = inner
  }
}

/** Dispatches `input` and `change`, as a browser does after the user has changed a field. */
export function dispatchChange(field: Element): void {
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Waits for the next animation frame, at most `timeout` milliseconds, because pages in the background have none. */
export function nextFrame(timeout: number): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0))
    setTimeout(resolve, timeout)
  })
}
