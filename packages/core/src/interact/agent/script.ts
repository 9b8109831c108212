import { EngineError } from '../../errors/error.ts'
import type { Snapshot } from '../../ports/sessions.ts'
import type { AgentAction } from './tools.ts'

/** What a run did, so that it can be done again without a model. */
export interface AgentScript {
  readonly steps: readonly ScriptStep[]
}

export interface ScriptStep {
  readonly action: AgentAction
  /** The element acted on, as the snapshot named it, and which of those with this name it was. */
  readonly element?: ElementName | undefined
  /** Where the page was after the step: its address without what follows `?`. */
  readonly leadsTo: string
}

export interface ElementName {
  readonly words: string
  readonly index: number
}

const line = /^\s*- (?<words>.*) \[ref=(?<ref>e\d+)\]$/

interface Named extends ElementName {
  readonly ref: string
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
    return [{ words, index, ref }]
  })
}

export function nameOfElement(action: AgentAction, page: Snapshot): ElementName | undefined {
  if (!('ref' in action)) return undefined
  const found = elementsOf(page).find(({ ref }) => ref === action.ref.replace(/^@/, ''))
  return found && { words: found.words, index: found.index }
}

/** The step with the reference that the element has now. */
export function stepNow({ action, element }: ScriptStep, page: Snapshot): AgentAction {
  if (!('ref' in action) || !element) return action
  const found = elementsOf(page).find(({ words, index }) => words === element.words && index === element.index)
  if (!found)
    throw new EngineError('action_failed', `The page has no ${element.words} now, so the script cannot go on.`)
  return { ...action, ref: found.ref }
}

export function withoutQuery(address: string): string {
  const url = URL.parse(address)
  return url ? `${url.origin}${url.pathname}` : address
}
