import { z } from 'zod'
import { compileSelector, isPattern, isProblem } from '@harvestman/html/checking'

const text = z.string().min(1).max(2_000)

/** A valid CSS selector. Checked before anything is loaded. */
export const selector = text.superRefine((value, context) => refuse(value, context))

/** A valid CSS selector, or `*text*`, which matches elements with this text in a name or attribute. */
export const selectorOrPattern = text.superRefine((value, context) => {
  if (!isPattern(value)) refuse(value, context)
})

function refuse(value: string, context: z.core.$RefinementCtx<string>): void {
  const compiled = compileSelector(value)
  if (isProblem(compiled)) context.addIssue({ code: 'custom', message: `cannot be used. ${compiled.problem}` })
}

/** A selector for the browser. Not checked here, because browsers support more selectors than our parser. */
export const elementSelector = z.string().min(1).max(2_000).meta({ title: 'Selector', description: 'A CSS selector.' })
