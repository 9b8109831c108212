// Conversation between a run and its model. The newest page is shown as far as there is room, and of older ones only
// that they were there; when the steps themselves become too long, the oldest are left out.
import {
  type Answer,
  EngineError,
  type LLM,
  type Question,
  type Snapshot,
  type Tool,
  type ToolCall,
  type Turn,
} from '@harvestman/ports'
import { estimateTokens } from '@harvestman/ports/adapters'
import { shownPage, type Showing } from './prompt.ts'

export interface Talk {
  /** Asks what to do with the page. */
  ask(page: Snapshot, signal: AbortSignal): Promise<Answer>
  /** Notes what the model wanted, and what came of each call; the page is shown beneath the one that led to it. */
  note(text: string, results: readonly CallResult[]): void
}

export interface CallResult {
  readonly call: ToolCall
  readonly note: string
  /** True when the page that is shown next is how it stood after this call. */
  readonly leadsToPage: boolean
  /** Words that the model looks for in the page, in place of those of its task. */
  readonly words?: string | undefined
}

export interface TalkTask extends Pick<Question, 'prompt'> {
  readonly system: string
  readonly tools: readonly Tool[]
}

interface Said {
  readonly text: string
  readonly results: readonly CallResult[]
}

const answerTokens = 4_000
const usualContext = 16_000
/** Most tokens of a page, even for a model with much room: it is sent anew with every step. */
const mostOfPage = 12_000
/** The marks and the words between, and what a repair says. */
const around = 1_500
const leastRoom = 300
const mostTries = 3

export function makeTalk(llm: LLM, { prompt, system, tools }: TalkTask): Talk {
  const context = llm.contextTokens ?? usualContext
  const maxOutputTokens = Math.min(answerTokens, Math.floor(context / 4))
  const fixed = maxOutputTokens + around + estimateTokens(system + prompt + JSON.stringify(tools))
  const room = Math.max(context - fixed, leastRoom)
  const said: Said[] = []
  return {
    note: (text, results) => void said.push({ text, results }),
    ask: async (page, signal) => {
      let part = 1
      for (let count = 1; ; count += 1) {
        const turns = turnsOf(said, page, room * part, prompt)
        try {
          return await llm.ask({ system, prompt, turns, tools, maxOutputTokens }, signal)
        } catch (error) {
          // Tokens are estimated, and the model counts them otherwise.
          const isTooLong = EngineError.is(error) && error.details['reason'] === 'too_long'
          if (!isTooLong || count >= mostTries) throw error
          part /= 2
        }
      }
    },
  }
}

/** Steps may take half of the room; the page has what they leave. */
function turnsOf(said: readonly Said[], page: Snapshot, room: number, task: string): Turn[] {
  let first = said.length
  let size = 0
  for (; first > 0; first -= 1) {
    const more = sizeOf(said[first - 1]!)
    // The last step is always shown: the page stands beneath it.
    if (size + more > room / 2 && first < said.length) break
    size += more
  }
  const words = said.at(-1)?.results.find((one) => one.words !== undefined)?.words ?? task
  const showing = { room: Math.max(Math.min(room - size, mostOfPage), leastRoom), words }
  if (said.length === 0) return [{ role: 'user', text: shownPage(page, showing) }]
  const left = first > 0 ? ` The first ${first} steps are left out.` : ''
  const recent = said.slice(first)
  return [
    { role: 'user', text: `(the page at the beginning)${left}` },
    ...recent.flatMap((one, index) => turnsOfStep(one, index === recent.length - 1 ? { page, showing } : undefined)),
  ]
}

function turnsOfStep(
  { text, results }: Said,
  newest: { readonly page: Snapshot; readonly showing: Showing } | undefined,
): Turn[] {
  return [
    { role: 'assistant', text, calls: results.map(({ call }) => call) },
    ...results.map(({ call, note, leadsToPage }): Turn => {
      const page = newest ? shownPage(newest.page, newest.showing) : '(an older page)'
      return { role: 'tool', call, result: leadsToPage ? `${note}\n${page}` : note }
    }),
  ]
}

function sizeOf(said: Said): number {
  return estimateTokens(JSON.stringify(said))
}
