// Splits values into parts by JSON Pointer.
import { pointerStep } from '@harvestman/html/internal'
import { learnedBounds, type LearnedScalar, type LearnedValue } from './types.ts'

/** The single values, lists of values and lists of objects of a record, by JSON Pointer. */
export interface Parts {
  readonly scalars: ReadonlyMap<string, LearnedScalar | null>
  readonly lists: ReadonlyMap<string, readonly LearnedScalar[]>
  readonly tables: ReadonlyMap<string, readonly LearnedRecord[]>
}

/** An object with learned values. */
export type LearnedRecord = { readonly [name: string]: LearnedValue | undefined }

/**
 * Splits a record into plain values, lists of them and lists of objects, each by JSON Pointer. Fields after the first 100,
 * empty and mixed lists, and objects more than 6 levels deep are ignored.
 */
export function partsOf(answer: LearnedRecord): Parts {
  const scalars = new Map<string, LearnedScalar | null>()
  const lists = new Map<string, readonly LearnedScalar[]>()
  const tables = new Map<string, readonly LearnedRecord[]>()
  const open: (readonly [pointer: string, value: LearnedRecord, depth: number])[] = [['', answer, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [above, record, depth] = next
    for (const [name, value] of Object.entries(record)) {
      if (scalars.size + lists.size + tables.size >= learnedBounds.fields) break
      const pointer = above + pointerStep(name)
      if (isList(value)) {
        if (value.length > 0 && value.every(isScalar)) lists.set(pointer, value)
        else if (value.length > 0 && value.every(isRecord)) tables.set(pointer, value)
      } else if (isRecord(value)) {
        if (depth < 6) open.push([pointer, value, depth + 1])
      } else scalars.set(pointer, value ?? null)
    }
  }
  return { scalars, lists, tables }
}

function isList(value: LearnedValue | undefined): value is readonly LearnedValue[] {
  return Array.isArray(value)
}

function isRecord(value: LearnedValue | undefined): value is LearnedRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isScalar(value: LearnedValue | undefined): value is LearnedScalar {
  return typeof value !== 'object' && value !== undefined
}

/** Sets the value at a JSON Pointer. Missing objects on the way are created, and other values there are replaced. */
export function put(answer: Record<string, LearnedValue | undefined>, pointer: string, value: LearnedValue): void {
  const steps = pointer.slice(1).split('/').map(unescape)
  const last = steps.pop()!
  let at = answer
  for (const step of steps) {
    const inner = Object.hasOwn(at, step) ? at[step] : undefined
    const next: Record<string, LearnedValue | undefined> = isRecord(inner) ? { ...inner } : {}
    define(at, step, next)
    at = next
  }
  define(at, last, value)
}

/** Sets a property with `defineProperty`, because names are untrusted and may be `__proto__`. */
function define(record: Record<string, LearnedValue | undefined>, name: string, value: LearnedValue): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}

const unescape = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')
