// The option checkPromptInjection: a page with instructions to a language model is an error, before any format is made.
import { tariff } from '../credits/tariff.ts'
import { EngineError } from '@harvestman/ports'
import type { ScrapeContext } from './context.ts'
import type { ReadPage } from './made.ts'
import { documentLimit } from './kit.ts'
import { screenedSource } from './readings.ts'

/**
 * Checks a page that was read, if the plan says so. Returns it with whether the check is charged, and with a warning if it was
 * not complete. Rejects with `prompt_injection` if the page has instructions to a model.
 */
export async function screened(read: ReadPage, context: ScrapeContext): Promise<ReadPage> {
  const { screening } = context.plan
  if (!screening) return read
  const { service, llm } = screening
  const { page } = read.visit
  const value = await valueFor(read, context)
  if ('problem' in value)
    return warned(read, `checkPromptInjection could not check the page. ${value.problem}`, context)
  const verdict = await service.judge(value.value, { url: page.url, llm, signal: context.time.signal })
  const { found, says, isComplete, warning } = verdict
  const isCharged = isComplete && llm !== undefined
  if (isCharged) context.owed.credits = tariff.page + tariff.screening
  if (found.length > 0) {
    const shown = context.plan.isRedacted ? {} : { found }
    context.steps?.note({ step: 'screening', outcome: 'found', ...(says !== undefined && { reason: says }), ...shown })
    throw new EngineError(
      'prompt_injection',
      `${page.url} has instructions to a language model, so nothing of it is returned. ${says ?? ''}`.trim(),
      { details: shown },
    )
  }
  context.steps?.note({
    step: 'screening',
    outcome: 'nothing found',
    ...(warning !== undefined && { reason: warning }),
  })
  const checked = { ...read, isScreened: isCharged }
  return warning === undefined ? checked : warned(checked, warning, context)
}

type Value = { readonly value: unknown } | { readonly problem: string }

/** Returns the value of the reading. A text file is not a page, so its text is read as one. */
async function valueFor({ content, visit }: ReadPage, { plan, kit, caller, time }: ScrapeContext): Promise<Value> {
  const { reading } = plan.screening!
  const text = content.isText ? textOf(content.values) : undefined
  const failure = content.failures[reading.field]
  if (failure) return { problem: failure.message }
  if (text === undefined) return { value: content.values[reading.field] }
  const task = {
    source: { html: `<div>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</div>` },
    ...{ url: visit.page.url, team: caller.team, scope: plan.request, wanted: [reading], version: undefined },
    most: documentLimit(kit),
  }
  const again = await kit.reader.read(task, time.signal)
  const problem = again.failures?.[reading.field]
  return problem ? { problem: problem.message } : { value: again.values[reading.field] }
}

function textOf(values: ReadPage['content']['values']): string {
  return [values[screenedSource.field], values['page.markdown']].filter((one) => typeof one === 'string').join('\n')
}

function warned(read: ReadPage, sentence: string, { steps }: ScrapeContext): ReadPage {
  steps?.note({ step: 'screening', outcome: 'incomplete', reason: sentence })
  return { ...read, content: { ...read.content, warnings: [...read.content.warnings, sentence] } }
}
