// Forms that a page declares as tools for models, with the attributes `toolname` and `tooldescription` of WebMCP.
import { dispatchChange, type AnyElement } from '../../ports/page/elements.ts'

/** JSON Schema of a field. */
interface FieldSchema {
  type: string
  description?: string
  enum?: string[]
  items?: FieldSchema
  format?: string
  pattern?: string
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** The outcome of calling a form. `filled`: the page wants a person to submit it. */
export interface FormResult {
  readonly status: 'done' | 'filled' | 'submitted' | 'failed'
  readonly result?: unknown
  readonly error?: string
}

// A field hides the property of its form with the same name, such as `elements`, so they are read from the prototype.
const { getAttribute, hasAttribute, querySelectorAll } = Element.prototype
const { checkValidity, requestSubmit } = HTMLFormElement.prototype
const elementsOf = (form: HTMLFormElement): Iterable<Element> =>
  Reflect.get(HTMLFormElement.prototype, 'elements', form)

const maxForms = 50
const maxFields = 60
const maxOptions = 100
const skipped = new Set(['submit', 'button', 'reset', 'image', 'file', 'hidden', 'password'])
const dates: Readonly<Record<string, string>> = { date: 'date', time: 'time', email: 'email', url: 'uri' }

/** Returns the forms that are tools, at most 50, by name. */
export function toolForms(): ReadonlyMap<string, HTMLFormElement> {
  const forms = new Map<string, HTMLFormElement>()
  for (const form of document.querySelectorAll<HTMLFormElement>('form[toolname][tooldescription]')) {
    const name = getAttribute.call(form, 'toolname') ?? ''
    if (!forms.has(name)) forms.set(name, form)
    if (forms.size >= maxForms) break
  }
  return forms
}

/** Returns the description of a form that is a tool. */
export function descriptionOf(form: HTMLFormElement): string {
  return getAttribute.call(form, 'tooldescription') ?? ''
}

/** Returns the fields of a form that a tool fills in, by name. Radio buttons of a group share a name. */
function fieldsOf(form: HTMLFormElement): ReadonlyMap<string, readonly AnyElement[]> {
  const fields = new Map<string, AnyElement[]>()
  for (const element of [...elementsOf(form)].slice(0, 10 * maxFields)) {
    const field = element as AnyElement
    const name = field.getAttribute('name') ?? ''
    const isField = /^(?:input|select|textarea)$/.test(field.localName)
    if (name === '' || !isField || skipped.has(field.type ?? '') || field.matches(':disabled')) continue
    const others = fields.get(name)
    if (others) others.push(field)
    else if (fields.size < maxFields) fields.set(name, [field])
  }
  return fields
}

function labelOf(field: AnyElement): string {
  const text =
    field.getAttribute('toolparamdescription') ??
    field.labels?.[0]?.textContent ??
    field.getAttribute('aria-description') ??
    field.getAttribute('aria-label') ??
    ''
  return text.replace(/\s+/g, ' ').trim().slice(0, 1_000)
}

/** Returns the schema of a choice. Too many values are not listed. */
function choiceOf(options: Iterable<{ readonly value?: string }>): FieldSchema {
  const values = [...options].map(({ value = '' }) => value)
  return { type: 'string', ...(values.length <= maxOptions && { enum: values }) }
}

function schemaOf(field: AnyElement, others: readonly AnyElement[]): FieldSchema {
  const { type, localName } = field
  if (localName === 'select') {
    const choice = choiceOf(field.options ?? [])
    return field.multiple ? { type: 'array', items: choice } : choice
  }
  const choice = choiceOf([field, ...others])
  if (type === 'radio') return choice
  if (type === 'checkbox') return others.length > 0 ? { type: 'array', items: choice } : { type: 'boolean' }
  const bound = (name: string): number | undefined =>
    field.getAttribute(name) ? Number(field.getAttribute(name)) : undefined
  if (type === 'number' || type === 'range') {
    const [minimum, maximum] = [bound('min'), bound('max')]
    return { type: 'number', ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
  }
  const [format, maxLength] = [dates[type ?? ''], bound('maxlength')]
  return { type: 'string', ...(format !== undefined && { format }), ...(maxLength !== undefined && { maxLength }) }
}

/** Returns the JSON Schema of the fields of a form. */
export function schemaOfForm(form: HTMLFormElement): object {
  const fields = fieldsOf(form)
  const properties: Record<string, FieldSchema> = {}
  for (const [name, group] of fields) {
    const [field, ...others] = group
    if (!field) continue
    const description = labelOf(field)
    properties[name] = { ...schemaOf(field, others), ...(description !== '' && { description }) }
  }
  const required = [...fields].filter(([, group]) => group.some((one) => one.required)).map(([name]) => name)
  return { type: 'object', properties, required, additionalProperties: false }
}

/** Sets the value of a field like a person does, also for frameworks that replace the property `value` of the element. */
function setValue(field: AnyElement, value: string): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set
  if (setter) setter.call(field, value)
  else field.value = value
  dispatchChange(field)
}

function fill(group: readonly AnyElement[], value: unknown): void {
  const wanted = (Array.isArray(value) ? value : [value]).map(String)
  for (const field of group) {
    if (field.localName === 'select' && field.multiple) {
      for (const option of field.options ?? []) option.selected = wanted.includes(option.value)
      dispatchChange(field)
    } else if (field.type === 'checkbox' || field.type === 'radio') {
      const isChecked = typeof value === 'boolean' ? value : wanted.includes(field.value ?? '')
      // Frameworks notice clicks only.
      if (field.checked !== isChecked && (isChecked || field.type === 'checkbox')) field.click?.()
    } else setValue(field, String(value))
  }
}

/**
 * Fills in a form, and submits it if the page allows that with `toolautosubmit`. A handler of the page may respond with
 * `event.respondWith(promise)`; otherwise the form is sent by the page, or by the browser, which leaves the page.
 */
export async function callForm(form: HTMLFormElement, input: Readonly<Record<string, unknown>>): Promise<FormResult> {
  const fields = fieldsOf(form)
  for (const [name, value] of Object.entries(input)) fill(fields.get(name) ?? [], value)
  if (!checkValidity.call(form)) {
    // Cast: only fields are invalid.
    const [invalid] = querySelectorAll.call(form, ':invalid:not(fieldset)') as Iterable<HTMLInputElement>
    return {
      status: 'failed',
      error: `The field ${invalid?.name ?? ''} is invalid. ${invalid?.validationMessage ?? ''}`,
    }
  }
  if (!hasAttribute.call(form, 'toolautosubmit')) return { status: 'filled' }
  let response: Promise<unknown> | undefined
  const onSubmit = (event: SubmitEvent): void => {
    if (event.target !== form) return
    const respondWith = (given: unknown): void => void (response = Promise.resolve(given))
    Object.defineProperties(event, { agentInvoked: { value: true }, respondWith: { value: respondWith } })
  }
  addEventListener('submit', onSubmit, { capture: true })
  try {
    requestSubmit.call(form)
  } finally {
    removeEventListener('submit', onSubmit, { capture: true })
  }
  if (response === undefined) return { status: 'submitted' }
  return { status: 'done', result: await response }
}
