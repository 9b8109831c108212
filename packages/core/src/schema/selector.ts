import { z } from 'zod'
import { compileSelector, isPattern, isProblem } from '@harvestman/html/checking'

const text = z.string().min(1).max(2_000)

/** A CSS selector that can be used: what is wrong with one is said before anything is fetched. */
export const selector = text.superRefine((value, context) => refuse(value, context))

/** The same, or `*text*`, which is looked for in names and attributes. */
export const selectorOrPattern = text.superRefine((value, context) => {
  if (!isPattern(value)) refuse(value, context)
})

function refuse(value: string, context: z.core.$RefinementCtx<string>): void {
  const compiled = compileSelector(value)
  if (isProblem(compiled)) context.addIssue({ code: 'custom', message: `cannot be used. ${compiled.problem}` })
}

/** A selector for the browser, which may know more of them than we do. */
export const elementSelector = z.string().min(1).max(2_000).meta({ title: 'Selector', description: 'A CSS selector.' })
