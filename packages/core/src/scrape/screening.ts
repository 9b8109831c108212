// The option checkPromptInjection: a page with instructions to a language model is an error, before any format is made.
import { tariff } from '../credits/tariff.ts'
import { EngineError } from '@harvestman/ports'
import type { ScrapeContext } from './context.ts'
import type { ReadPage } from './made.ts'
import { documentLimit } from './kit.ts'
import { actionSources, asMarkup, maxScreened } from './screened-sources.ts'
import { screenedSource } from './readings.ts'

/**
 * Checks a page that was read, and the results of its actions, if the plan says so. Returns it with whether the check is
 * charged, and with a warning if it was not complete. Rejects with `prompt_injection` if there are instructions to a model.
 */
export async function screened(read: ReadPage, context: ScrapeContext): Promise<ReadPage> {
  const { screening } = context.plan
  if (!screening) return read
  const { service, llm } = screening
  const { page } = read.visit
  const value = await valuesFor(read, context)
  if ('problem' in value)
    return warned(read, `checkPromptInjection could not check the page. ${value.problem}`, context)
  const { values, cut } = value
  // The model is not asked, and not charged, for a part of a page.
  const asked = cut === undefined ? llm : undefined
  const verdict = await service.judge(values, { url: page.url, llm: asked, signal: context.time.signal })
  const { found, description, isComplete } = verdict
  const warning = cut === undefined ? verdict.warning : `checkPromptInjection did not check all of the page: ${cut}`
  const isCharged = isComplete && llm !== undefined
  if (isCharged) context.owed.credits = tariff.page + tariff.screening
  if (found.length > 0) {
    const shown = context.plan.isRedacted ? {} : { found }
    context.steps?.note({
      step: 'screening',
      outcome: 'found',
      ...(description !== undefined && { reason: description }),
      ...shown,
    })
    throw new EngineError(
      'prompt_injection',
      `${page.url} has instructions to a language model, so nothing of it is returned. ${description ?? ''}`.trim(),
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

type Values =
  | { readonly values: readonly unknown[]; /** Why not everything was read. */ readonly cut?: string | undefined }
  | { readonly problem: string }

/** Returns the values of the reading: of the page, or of a text file read as one, and of the results of actions. */
async function valuesFor(read: ReadPage, context: ScrapeContext): Promise<Values> {
  const { content, visit } = read
  const { field } = context.plan.screening!.reading
  const failure = content.failures[field]
  if (failure) return { problem: failure.message }
  const text = content.isText ? textOf(content.values) : undefined
  const actions = actionSources(visit.page.actions)
  const values: unknown[] = text === undefined ? [content.values[field]] : []
  for (const html of [...(text === undefined ? [] : [asMarkup(text)]), ...actions.sources]) {
    const again = await readAgain(html, read, context)
    const problem = again.failures?.[field]
    if (problem) return { problem: problem.message }
    values.push(again.values[field])
  }
  const isLong = text !== undefined && text.length > maxScreened
  const first = `only the first ${maxScreened} characters were read, by rules alone`
  if (isLong) return { values, cut: `it is long, and ${first}.` }
  return { values, cut: actions.isCut ? `its actions returned long results, of which ${first}.` : undefined }
}

async function readAgain(html: string, { visit }: ReadPage, { plan, kit, caller, time }: ScrapeContext) {
  const task = {
    source: { html },
    ...{ url: visit.page.url, team: caller.team, scope: plan.request, wanted: [plan.screening!.reading] },
    version: undefined,
    most: documentLimit(kit),
  }
  return kit.reader.read(task, time.signal)
}

function textOf(values: ReadPage['content']['values']): string {
  return [values[screenedSource.field], values['page.markdown']].filter((one) => typeof one === 'string').join('\n')
}

function warned(read: ReadPage, sentence: string, { steps }: ScrapeContext): ReadPage {
  steps?.note({ step: 'screening', outcome: 'incomplete', reason: sentence })
  return { ...read, content: { ...read.content, warnings: [...read.content.warnings, sentence] } }
}
