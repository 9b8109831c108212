import type { Clock } from '../../ports/clock.ts'
import type { Answer, LLM, ToolCall, Turn } from '../../ports/llm.ts'
import type { Json } from '../../ports/value.ts'
import type { LiveBrowser } from '../../ports/sessions.ts'
import { shownPage, systemPrompt } from './prompt.ts'
import { makeSite } from './same-site.ts'
import type { Secret } from './secrets.ts'
import { look, makeStep, whyItEnded, type AgentRun, type RunBounds, type RunState } from './step.ts'
import { actionOf, agentTools } from './tools.ts'

/** Carries out a task in words in a live browser. */
export type Ask = (live: LiveBrowser, task: string, options: AgentOptions, signal: AbortSignal) => Promise<AgentRun>

export interface AgentOptions {
  /** Steps, at most 25; 25 when absent. */
  readonly maxSteps?: number | undefined
  /** Tokens that all questions and answers may have together; 400,000 when absent. */
  readonly maxTokens?: number | undefined
  /** Hosts that may be visited beside the site where it begins. */
  readonly allow?: readonly string[] | undefined
  readonly secrets?: readonly Secret[] | undefined
}

const mostSteps = 25
const usualTokens = 400_000
const answerTokens = 4_000

/** Carries out tasks, step by step as a model says. */
export function makeAgent(llm: LLM, clock: Clock): Ask {
  const step = makeStep(clock)
  return async (live, task, options, signal) => {
    const { secrets = [], maxTokens = usualTokens } = options
    const most = Math.min(options.maxSteps ?? mostSteps, mostSteps)
    const page = await look(live, secrets, signal)
    const state: RunState = { steps: [], script: [], page, tokens: 0 }
    const bounds: RunBounds = { site: makeSite(page.url, options.allow ?? []), secrets }
    const turns: Turn[] = [{ role: 'user', text: shownPage(page) }]
    const finish = (answer: string, error?: string): AgentRun => ({
      ...{ success: error === undefined, answer, error, steps: state.steps, page: state.page, tokens: state.tokens },
      script: { steps: state.script },
    })
    try {
      while (state.steps.length < most) {
        if (state.tokens >= maxTokens)
          return finish('', `The task has used ${state.tokens} tokens, and ${maxTokens} were allowed.`)
        const question = {
          system: systemPrompt(secrets, most),
          prompt: task,
          turns,
          tools: agentTools,
          maxOutputTokens: answerTokens,
        }
        const { value, calls, usage }: Answer = await llm.ask(question, signal)
        state.tokens += usage.inputTokens + usage.outputTokens
        const said = textOf(value)
        const done = calls.find(({ name }) => name === 'done')
        if (done || calls.length === 0) return finish(done ? textOf(done.input['answer']) : said)
        forgetPages(turns)
        turns.push({ role: 'assistant', text: said, calls })
        for (const [index, call] of calls.entries())
          turns.push({ role: 'tool', call, result: await carryOut(call, index > 0) })
      }
      return finish('', `The task was not done after ${most} steps.`)
    } catch (error) {
      return finish('', await whyItEnded(error, signal))
    }

    // References are good for one page, so one call is carried out at a time.
    async function carryOut(call: ToolCall, isLater: boolean): Promise<string> {
      if (isLater) return 'Not done: take one step at a time.'
      const action = actionOf(call.name, call.input)
      if (!action) {
        state.steps.push({
          action: { type: call.name },
          outcome: 'refused',
          note: 'There is no such tool.',
          url: state.page.url,
        })
        return 'There is no such tool.'
      }
      const note = await step(live, action, state, bounds, signal)
      return `${note}\n${shownPage(state.page)}`
    }
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

/** A model is shown the newest page in full; of those before, that there was one is enough. */
function forgetPages(turns: Turn[]): void {
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'tool')
      turns[index] = { ...turn, result: turn.result.replace(/<page>[\s\S]*<\/page>/, '(an older page)') }
    else if (turn.role === 'user') turns[index] = { ...turn, text: '(the page at the beginning)' }
  }
}
