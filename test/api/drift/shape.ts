// The values that a field can have, whatever language declares them: JSON Schema or TypeScript.

export interface Shape {
  /** `any`, `string`, `number`, `boolean`, `null`, `object` or `array`. `string` means any string; `values` lists literals. */
  readonly kinds: Set<string>
  readonly values: Map<string, string>
  readonly fields: Map<string, Field>
  /** Whether objects can have other fields, too. */
  isOpen: boolean
  items?: Shape
}

export interface Field {
  readonly shape: Shape
  /** Where it is declared. */
  readonly at: string
  /** Set if the server knows the field and does nothing with it. */
  readonly only?: 'refused field' | 'ignored field'
}

/** The fields of a request, or of one parameter of a method that sends it. */
export interface Body {
  readonly name?: string
  readonly shape: Shape
}

export interface Route {
  /** With `{}` for each parameter: `GET /v2/crawl/{}`. */
  readonly name: string
  readonly at: string
  /** Why the server does not serve it. */
  readonly refused?: string
  readonly requests: readonly Body[]
  readonly responses: readonly Shape[]
}

export interface Contract {
  readonly routes: ReadonlyMap<string, Route>
  /** Error codes, each with the place where it was found. */
  readonly codes: ReadonlyMap<string, string>
}

export const emptyShape = (): Shape => ({ kinds: new Set(), values: new Map(), fields: new Map(), isOpen: false })

export function addField(shape: Shape, name: string, field: Field): void {
  const known = shape.fields.get(name)
  if (known) merge(known.shape, field.shape)
  else shape.fields.set(name, field)
}

/** Adds what `from` allows to `into`. */
export function merge(into: Shape, from: Shape): void {
  for (const kind of from.kinds) into.kinds.add(kind)
  for (const [value, at] of from.values) if (!into.values.has(value)) into.values.set(value, at)
  for (const [name, field] of from.fields) addField(into, name, field)
  into.isOpen ||= from.isOpen
  if (from.items && into.items) merge(into.items, from.items)
  else if (from.items) into.items = from.items
}

/** The kinds of a shape, with literals as strings. */
export function kindsOf(shape: Shape): Set<string> {
  return new Set([...shape.kinds, ...(shape.values.size > 0 ? ['string'] : [])])
}

export function describeShape(shape: Shape): string {
  const literals = shape.kinds.has('string') ? [] : [...shape.values.keys()].map((value) => JSON.stringify(value))
  return [...shape.kinds].toSorted().concat(literals.toSorted()).join(' | ') || 'nothing'
}
