import { createContext } from 'preact'

import type { Refusal } from './api.ts'
import { apartOf, targetOf, type Draft } from './draft.ts'

/** An error of one field of a request. */
export interface Fault {
  /** The id of the field's input, or that id with a suffix for a nested field. */
  readonly id: string
  readonly message: string
}

interface Problem {
  readonly message?: string
  readonly path?: readonly (string | number)[]
}

/** Returns the problems of a rejected request; none if the error is about something else. */
export function problemsOf({ details }: Refusal): readonly Problem[] {
  return Array.isArray(details) ? (details as readonly Problem[]) : []
}

/** Maps the problems of a rejected request to its form fields. Omits problems that concern no field. */
export function faultsOf(refusal: Refusal | undefined, draft: Draft): readonly Fault[] {
  if (!refusal) return []
  return problemsOf(refusal).flatMap(({ message, path = [] }) =>
    message !== undefined && path.length > 0 ? [{ id: idOf(path, draft), message }] : [],
  )
}

function idOf(path: readonly (string | number)[], { kind, formats }: Draft): string {
  const [first, second, ...rest] = path[0] === 'scrapeOptions' && path[1] === 'formats' ? path.slice(1) : path
  if (first === targetOf(kind).name) return 'address'
  if (first === 'prompt' && !apartOf(kind)) return 'task'
  if (first === 'formats' && typeof second === 'number') return [`format-${formats[second]}`, ...rest].join('-')
  return ['option', ...path].join('-')
}

/** The field errors of the current form. */
export const Faults = createContext<readonly Fault[]>([])

/** Returns whether an error belongs to the field with this id, or to one of its nested fields. */
export function isAt(id: string, { id: at }: Fault): boolean {
  return at === id || at.startsWith(`${id}-`)
}
