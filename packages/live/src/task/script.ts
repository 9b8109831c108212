import type { z } from 'zod'

import { EngineError, type Snapshot } from '@harvestman/ports'
import type { TaskAction, scriptSchema } from './actions.ts'

/** Steps of a task in words, to do them again without a model. */
export type TaskScript = z.output<typeof scriptSchema>
export type ScriptStep = TaskScript['steps'][number]
type ElementName = NonNullable<ScriptStep['element']>

const line = /^\s*- (?<words>.*) \[ref=(?<ref>e\d+)\]$/

interface Named extends ElementName {
  readonly ref: string
  /** Text of the element with values and states. */
  readonly all: string
}

function elementsOf({ text }: Snapshot): readonly Named[] {
  const counts = new Map<string, number>()
  return text.split('\n').flatMap((one) => {
    const { words: all = '', ref = '' } = line.exec(one)?.groups ?? {}
    if (ref === '') return []
    // Values and states change; the kind of an element and its name do not.
    const words = /^\w+(?: "(?:[^"\\]|\\.)*")?/.exec(all)?.[0] ?? all
    const index = counts.get(words) ?? 0
    counts.set(words, index + 1)
    return [{ words, index, ref, all }]
  })
}

/** The step as it can be found and checked on another day. */
export function stepOfScript(action: TaskAction, before: Snapshot, after: Snapshot): ScriptStep {
  const leadsTo = withoutQuery(after.url)
  const shown = new Set(signsOf(before))
  const shows = signsOf(after).find((sign) => !shown.has(sign))
  const rest = { leadsTo, ...(shows !== undefined && { shows }) }
  if (!('ref' in action)) return { action, ...rest }
  const found = elementsOf(before).find(({ ref }) => ref === action.ref.replace(/^@/, ''))
  if (!found) return { action, ...rest }
  const element = { words: found.words, index: found.index }
  const becomes = before.url === after.url ? findElement(element, after)?.all : undefined
  return { action, element, ...rest, ...(becomes !== undefined && { becomes }) }
}

function findElement(element: ElementName, page: Snapshot): Named | undefined {
  return elementsOf(page).find(({ words, index }) => words === element.words && index === element.index)
}

const sign = /^\s*- (?<words>(?:heading|dialog|alertdialog|alert|status) "(?:[^"\\]|\\.)*")/

/** Signs of where one is: headings and messages. Long numbers are of the day, as those of orders. */
function signsOf({ text }: Snapshot): readonly string[] {
  return text.split('\n').flatMap((one) => sign.exec(one)?.groups?.['words']?.replaceAll(/\d{3,}/g, '#') ?? [])
}

/** Difference between the page and what the step had left; undefined when there is none. */
export function whyOther({ element, leadsTo, becomes, shows }: ScriptStep, page: Snapshot): string | undefined {
  const address = withoutQuery(page.url)
  if (address !== leadsTo) return `It did not lead to ${leadsTo} but to ${address}.`
  const now = becomes !== undefined && element ? findElement(element, page)?.all : undefined
  if (now !== becomes) return `What was ${becomes} is ${now ?? 'not there'} now.`
  if (shows !== undefined && !signsOf(page).includes(shows)) return `The page shows no ${shows}.`
  return undefined
}

/** A step in words. */
export function nameStep({ action, element }: ScriptStep): string {
  return [action.type, ...(element ? [element.words] : [])].join(' ')
}

/** The step with the reference that the element has now. */
export function stepNow({ action, element }: ScriptStep, page: Snapshot): TaskAction {
  if (!('ref' in action) || !element) return action
  const found = findElement(element, page)
  if (!found) throw new EngineError('action_failed', `The page has no ${element.words} now.`)
  return { ...action, ref: found.ref }
}

function withoutQuery(address: string): string {
  const url = URL.parse(address)
  return url ? `${url.origin}${url.pathname}` : address
}
