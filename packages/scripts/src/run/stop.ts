// Errors of runs that stop before the last step.
import { EngineError } from '@harvestman/ports'

import type { Script, Step, Target } from '../script/schema.ts'
import { isOpen } from '../script/template.ts'
import type { Look } from '../page/seen.ts'
import type { SeenTab } from './tabs.ts'

const maxSeen = 20

/** A completed step. */
export interface DoneStep {
  /** Its number in the script, from 1. */
  readonly step: number
  readonly action: Step['action']
  readonly outcome: 'done' | 'already' | 'repaired'
  /** The element, such as `button "Save"`. */
  readonly element?: string
  readonly note?: string
  readonly url: string
}

/** The part of a run that an error needs. */
export interface Stopping {
  readonly script: Script
  readonly done: readonly DoneStep[]
  readonly hide: (text: string) => string
}

/**
 * Describes an element by its role and its name or label, such as `button "Send"`; without these by the text before it,
 * `textbox beside "Email"`, or by its role alone.
 */
export function describeElement({
  role,
  name,
  label,
  before,
}: Pick<Target, 'role' | 'name' | 'label' | 'before'>): string {
  const caption = name || label
  if (caption) return `${role} ${JSON.stringify(caption)}`
  return before ? `${role} beside ${JSON.stringify(before)}` : role
}

type Reason =
  | 'not_found'
  | 'ambiguous'
  | 'not_done'
  | 'other_outcome'
  | 'other_site'
  | 'not_shown'
  | 'too_large'
  | 'too_long'

/**
 * Returns the `action_failed` error of a run that stops at a step, with a description of the page. `number` is the index of the
 * step, from 0.
 */
export function makeStopError(run: Stopping, number: number, reason: Reason, why: string, seen?: Seen): EngineError {
  const { script, done } = run
  const step = script.steps[number]!
  const what = step.target && !isOpen(step.target.name) ? `${step.action} ${describeElement(step.target)}` : step.action
  const message = `Step ${number + 1} of ${script.steps.length} (${what}) did not go as it was recorded. ${why}`
  return new EngineError('action_failed', message, {
    details: { reason, step: number + 1, done, ...(seen && { seen: describeSeen(run, seen) }) },
  })
}

/** The page, or the tabs if these are ambiguous. */
type Seen = Pick<Look, 'url' | 'title' | 'elements'> | { readonly tabs: readonly SeenTab[] }

function describeSeen({ hide }: Stopping, seen: Seen) {
  if ('tabs' in seen) return { tabs: seen.tabs.map(({ url }) => hide(url)) }
  const { url, title, elements } = seen
  return { url, title, elements: elements.slice(0, maxSeen).map(describeElement) }
}
