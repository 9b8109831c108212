import type { Clock, Json, LLM, ToolCall } from '@harvestman/ports'
import type { ConfinableBrowser } from './confinement.ts'
import { systemPrompt } from './prompt.ts'
import { makeSite } from './same-site.ts'
import { checkPlaceholders, type OnSecret, type Secret } from './secrets.ts'
import { pageToolActionOf } from './page-tool-step.ts'
import { readRedactedPage, makeStep, taskErrorMessage, type TaskRun, type RunBounds, type RunState } from './step.ts'
import { makeTalk, type CallResult } from './talk.ts'
import { actionOf, taskTools, wordsToFind } from './tools.ts'

/** Carries out a prompt in a live browser. */
export type Ask = (
  live: ConfinableBrowser,
  task: string,
  options: TaskOptions & { readonly onSecret?: OnSecret | undefined },
  signal: AbortSignal,
) => Promise<TaskRun>

/** Limits of a prompt in a live browser. */
export interface TaskOptions {
  /** Maximum number of steps. At most 25. Default: 25. */
  readonly maxSteps?: number | undefined
  /** Maximum number of tokens of all questions and answers together. Default: 400,000. */
  readonly maxTokens?: number | undefined
  /** Hosts that may be visited in addition to the site where the task starts. */
  readonly allow?: readonly string[] | undefined
  readonly secrets?: readonly Secret[] | undefined
}

const defaultMaxSteps = 25
const defaultMaxTokens = 400_000

/**
 * Creates a function that carries out prompts step by step, as the model decides. A task that is not done within its steps or
 * tokens, or that times out or loses the model after a step, has `success: false` and a message. Rejects with `invalid_request`
 * for an unknown placeholder, if the browser fails, if the model fails or the time is over before the first step, and when the
 * session ends.
 */
export function makeTaskRunner(llm: LLM, clock: Clock): Ask {
  const step = makeStep(clock)
  return async (live, task, options, signal) => {
    const { secrets = [], maxTokens = defaultMaxTokens } = options
    checkPlaceholders('The prompt', [task], secrets)
    const most = Math.min(options.maxSteps ?? defaultMaxSteps, defaultMaxSteps)
    const page = await readRedactedPage(live, secrets, signal)
    const state: RunState = { steps: [], page, tokens: 0 }
    const site = makeSite(page.url, options.allow ?? [])
    const confinement = live.confine(site.allows)
    const bounds: RunBounds = { site, secrets, confinement, onSecret: options.onSecret }
    const talk = makeTalk(llm, { system: systemPrompt(secrets, most), prompt: task, tools: taskTools })
    const finish = (answer: string, error?: string): TaskRun => ({
      ...{ success: error === undefined, answer, error, steps: state.steps, page: state.page, tokens: state.tokens },
    })
    try {
      while (state.steps.length < most) {
        if (state.tokens >= maxTokens)
          return finish('', `The task used ${state.tokens} tokens; the limit is ${maxTokens}.`)
        const { value, calls, usage } = await talk.ask(state.page, signal)
        state.tokens += usage.inputTokens + usage.outputTokens
        const text = textOf(value)
        const done = calls.find(({ name }) => name === 'done')
        if (done || calls.length === 0) return finish(done ? textOf(done.input['answer']) : text)
        const [first, ...later] = calls
        // References are only valid for the current page, so only the first call is performed.
        talk.note(text, [...(first ? [await carryOut(first)] : []), ...later.map(notDone)])
      }
      return finish('', `The task was not done after ${most} steps.`)
    } catch (error) {
      return finish('', await taskErrorMessage(error, signal, state))
    } finally {
      confinement.release()
    }

    async function carryOut(call: ToolCall): Promise<CallResult> {
      const words = wordsToFind(call)
      const action = actionOf(call.name, call.input) ?? pageToolActionOf(call)
      if (action) return { call, note: await step(live, action, state, bounds, signal), leadsToPage: true }
      const [outcome, note] =
        words === undefined
          ? (['refused', 'There is no such tool.'] as const)
          : (['done', 'Here is the page again.'] as const)
      state.steps.push({ action: { type: call.name }, outcome, note, url: state.page.url })
      return { call, note, leadsToPage: true, words }
    }
  }
}

function notDone(call: ToolCall): CallResult {
  return { call, note: 'Not done: take one step at a time.', leadsToPage: false }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}
