// Compares the contract of a peer with ours.
import {
  describeShape,
  emptyShape,
  kindsOf,
  merge,
  type Contract,
  type Field,
  type Route,
  type Shape,
} from './shape.ts'

export interface Finding {
  readonly kind:
    | 'new route'
    | 'refused route'
    | 'new field'
    | 'refused field'
    | 'ignored field'
    | 'not returned'
    | 'new value'
    | 'unknown value'
    | 'other type'
    | 'new code'
    | Removal
  /** The route, and the field in it. */
  readonly where: string
  readonly what: string
  readonly at: string
}

type Removal = 'gone route' | 'gone field' | 'gone value' | 'gone code'

const removals: ReadonlyMap<Finding['kind'], Removal> = new Map([
  ['new route', 'gone route'],
  ['new field', 'gone field'],
  ['not returned', 'gone field'],
  ['new value', 'gone value'],
  ['new code', 'gone code'],
] as const)

/** Returns what an older release of a peer has and the newer one has not. */
export function findRemovals(older: Contract, newer: Contract): readonly Finding[] {
  return compare(older, newer).flatMap((finding) => {
    const kind = removals.get(finding.kind)
    return kind ? [{ ...finding, kind }] : []
  })
}

export function compare(peer: Contract, ours: Contract): readonly Finding[] {
  const findings: Finding[] = []
  for (const [name, route] of peer.routes) {
    const own = ours.routes.get(name)
    if (!own) findings.push({ kind: 'new route', where: name, what: '', at: route.at })
    else if (own.refused !== undefined)
      findings.push({ kind: 'refused route', where: name, what: own.refused, at: route.at })
    else {
      compareRequest(route, together(own.requests.map(({ shape }) => shape)), findings)
      const response = unwrapped(together(own.responses))
      for (const shape of route.responses) compareResponse(shape, response, name, findings)
    }
  }
  for (const [code, at] of peer.codes)
    if (!ours.codes.has(code)) findings.push({ kind: 'new code', where: code, what: '', at })
  return findings
}

/** Prints one finding a line. What several routes share is one finding. */
export function print(findings: readonly Finding[]): string {
  const groups = Map.groupBy(findings, ({ kind, what, at, where }) =>
    kind.endsWith('route') ? `${kind} ${where}` : `${kind} ${what} ${at} ${where.replace(/^.*[ .]/, '')}`,
  )
  const lines = [...groups.values()].map(([first, ...rest]) => {
    const { kind, where, what, at } = first as Finding
    const routes = new Set(rest.map((one) => one.where).filter((other) => other !== where))
    const more = routes.size > 0 ? ` (and ${String(routes.size)} more)` : ''
    return `${kind.padEnd(13)}  ${where}${what === '' ? '' : `: ${what}`}${more}  [${at}]`
  })
  return lines.toSorted().join('\n')
}

/** SDKs return the value in `data`, or the whole body. */
function unwrapped(shape: Shape): Shape {
  const data = shape.fields.get('data')?.shape
  if (!data) return shape
  const both = emptyShape()
  merge(both, data)
  for (const [name, field] of shape.fields) if (!both.fields.has(name)) both.fields.set(name, field)
  return both
}

function compareRequest({ name, at, requests }: Route, own: Shape, findings: Finding[]): void {
  if (own.fields.size === 0) return
  const comparison: Comparison = { direction: 'request', root: own, findings }
  for (const { name: parameter = '', shape } of requests) {
    const field = own.fields.get(parameter)
    if (field) compareField({ shape, at }, field.shape, `${name} ${parameter}`, comparison)
    else compareFields(shape, own, name, comparison)
  }
}

function compareResponse(peer: Shape, own: Shape, name: string, findings: Finding[]): void {
  const comparison: Comparison = { direction: 'response', root: own, findings }
  if (peer.fields.size > 0) compareFields(peer, own, name, comparison)
  if (peer.items && own.items) compareFields(peer.items, own.items, `${name} []`, comparison)
}

interface Comparison {
  readonly direction: 'request' | 'response'
  /** All fields of the request. Its `scrapeOptions` can have the same fields that the server only tolerates. */
  readonly root: Shape
  readonly findings: Finding[]
}

function compareFields(peer: Shape, own: Shape, where: string, comparison: Comparison): void {
  const { direction, root, findings } = comparison
  for (const [name, field] of peer.fields) {
    const path = where.includes(' ', where.indexOf(' ') + 1) ? `${where}.${name}` : `${where} ${name}`
    const known = own.fields.get(name)
    const only = known?.only ?? (where.endsWith(' scrapeOptions') && !known ? root.fields.get(name)?.only : undefined)
    const kind = only ?? (direction === 'request' ? 'new field' : 'not returned')
    if (known && !only) compareField(field, known.shape, path, comparison)
    else if (known || (!own.isOpen && !own.kinds.has('any')))
      findings.push({ kind, where: path, what: describeShape(field.shape), at: field.at })
  }
}

function compareField({ shape, at }: Field, own: Shape, where: string, comparison: Comparison): void {
  const { direction, findings } = comparison
  if (own.kinds.has('any') || shape.kinds.has('any') || kindsOf(shape).size === 0) return
  const [sent, read] = direction === 'request' ? [shape, own] : [own, shape]
  const readable = kindsOf(read)
  if ([...kindsOf(sent)].some((kind) => !readable.has(kind)))
    findings.push({ kind: 'other type', where, what: `${describeShape(shape)}, ours ${describeShape(own)}`, at })
  if (isEnum(own))
    for (const [value, place] of shape.values)
      if (!own.values.has(value)) findings.push({ kind: 'new value', where, what: JSON.stringify(value), at: place })
  // Typed clients fail to decode such a value.
  if (direction === 'response' && isEnum(own) && isEnum(shape))
    for (const value of own.values.keys())
      if (!shape.values.has(value)) findings.push({ kind: 'unknown value', where, what: JSON.stringify(value), at })
  if (kindsOf(own).has('object')) compareFields(shape, own, where, comparison)
  if (shape.items && own.items) compareField({ shape: shape.items, at }, own.items, `${where}[]`, comparison)
}

/** Returns whether the strings of a shape are only its literals. */
function isEnum(shape: Shape): boolean {
  return shape.values.size > 0 && !shape.kinds.has('string')
}

function together(shapes: readonly Shape[]): Shape {
  const all = emptyShape()
  for (const shape of shapes) merge(all, shape)
  return all
}
