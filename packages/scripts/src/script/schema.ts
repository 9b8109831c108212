// Schema of scripts, which are JSON that users can read and edit.
import { z } from 'zod'

import { pageLimits } from '../page/limits.ts'
import { stateSchema } from '../page/seen.ts'

/** Limits of a script and its runs. */
export const bounds = {
  steps: 100,
  /** Steps of a run, including repetitions. */
  stepsOfRun: 300,
  items: 100,
  parameters: 50,
  value: 10_000,
  /** Characters of a script as JSON. */
  size: 500_000,
  scriptsOfTeam: 500,
  versions: 20,
  repairs: 100,
} as const

const text = z.string().max(pageLimits.text * 2)

/** Name of a script, used in URLs. */
export const scriptName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'Use up to 63 lowercase letters, digits, - and _, beginning with a letter or digit.',
  )
  .refine((name) => name !== 'record', 'is reserved, because its path records scripts; choose another name')
  .meta({ title: 'Name', description: 'The name of the script, unique in your team.' })

export const parameterName = z
  .string()
  .regex(/^[A-Za-z][\w-]{0,62}$/, 'Begin with a letter; then letters, digits, - and _.')

const tabName = z.string().regex(/^[a-z][\w-]{0,62}$/, 'Begin with a lowercase letter; then letters, digits, - and _.')

const opensSchema = z.strictObject({
  tab: tabName.meta({ title: 'Tab', description: 'The name by which later steps refer to this tab.' }),
  address: z.string().max(2_000).meta({ title: 'Address', description: 'The URL that the tab shows.' }).optional(),
})

/** A tab that a step opens. */
export type Opens = z.output<typeof opensSchema>

/** An element of a page, with several ways to find it. */
export const targetSchema = z
  .strictObject({
    role: z.string().max(100),
    name: text,
    label: text.optional(),
    text: text.optional(),
    attributes: z.record(z.string().max(50), z.string().max(200)).default({}),
    before: text.optional(),
    after: text.optional(),
    row: z.array(text).max(8).optional(),
    path: z.string().max(1_000).optional(),
    frame: z.record(z.string().max(50), text).optional(),
    alone: text.optional(),
    place: z.strictObject({ index: z.int().min(0), of: z.int().min(1) }).optional(),
  })
  .meta({
    title: 'Target',
    description:
      'Ways to find the element: role and accessible name, label, text, attributes, the strings before and after it and in its row, its path, the frame that holds it (id, name, title, URL, path), the part of the page in which it was the only element of its role, and its number among elements of the same role and name.',
  })

/** The ways to find an element. */
export type Target = z.output<typeof targetSchema>

const expectsSchema = z
  .strictObject({
    address: z
      .string()
      .max(2_000)
      .meta({ title: 'Address', description: 'The URL of the page after the step.' })
      .optional(),
    state: stateSchema
      .strict()
      .meta({ title: 'State', description: 'The state of the element after the step.' })
      .optional(),
    gone: z.literal(true).meta({ title: 'Gone', description: 'The element is no longer on the page.' }).optional(),
    shows: z
      .array(text)
      .max(5)
      .meta({ title: 'Shows', description: 'Headings, messages and other strings that the page shows after the step.' })
      .optional(),
    controls: z
      .array(text)
      .max(5)
      .meta({ title: 'Controls', description: 'Fields and buttons on the page after the step, such as `button Save`.' })
      .optional(),
    opens: z
      .array(opensSchema)
      .min(1)
      .max(5)
      .meta({ title: 'Opens', description: 'Tabs that the step opens.' })
      .optional(),
    closes: z
      .array(tabName)
      .min(1)
      .max(5)
      .meta({ title: 'Closes', description: 'Tabs that the step closes.' })
      .optional(),
  })
  .meta({ title: 'Expects', description: 'What must hold after the step.' })

/** Expected outcome of a step. */
export type Expects = z.output<typeof expectsSchema>

const stepSchema = z.strictObject({
  action: z
    .enum(['click', 'fill', 'select', 'press', 'goto'])
    .meta({ title: 'Action', description: 'The kind of step.' }),
  tab: tabName
    .meta({
      title: 'Tab',
      description: 'The tab to act in, by the name given in the step that opened it. Default: the first tab.',
    })
    .optional(),
  target: targetSchema.optional(),
  value: z
    .union([z.string().max(bounds.value), z.array(z.string().max(500)).max(bounds.items)])
    .meta({
      title: 'Value',
      description:
        'The string to type, option to choose, key to press or URL to open. `{{name}}` is replaced by the parameter `name`.',
    })
    .optional(),
  each: parameterName
    .meta({ title: 'Each', description: 'A parameter that is a list: the step runs once for each item.' })
    .optional(),
  block: z
    .int()
    .min(1)
    .max(10)
    .meta({ title: 'Block', description: 'The number of steps that `each` repeats, starting with this one.' })
    .optional(),
  until: text
    .meta({
      title: 'Until',
      description: 'The step runs until the page shows this string; it does not run if the page shows it already.',
    })
    .optional(),
  expects: expectsSchema.default({}),
})

/** One step of a script. */
export type Step = z.output<typeof stepSchema>

const parameterSchema = z.strictObject({
  type: z.enum(['text', 'list']),
  secret: z
    .boolean()
    .meta({ title: 'Secret', description: 'The value is passed with each run and never stored.' })
    .optional(),
  origin: z
    .string()
    .max(300)
    .meta({ title: 'Origin', description: 'The only origin where the secret may be typed.' })
    .optional(),
})

/** A script. */
export const scriptSchema = z
  .strictObject({
    version: z.literal(1).meta({ title: 'Version', description: 'The version of the script format.' }),
    start: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .meta({ title: 'Start', description: 'The URL that a run opens first.' }),
    hosts: z
      .array(z.string().max(300))
      .min(1)
      .max(20)
      .meta({ title: 'Hosts', description: 'The hosts that a run may navigate to.' }),
    parameters: z.record(parameterName, parameterSchema).meta({
      title: 'Parameters',
      description: 'The parameters of a run, by name.',
    }),
    steps: z.array(stepSchema).min(1).max(bounds.steps).meta({ title: 'Steps', description: 'The steps, in order.' }),
  })
  .refine((script) => JSON.stringify(script).length <= bounds.size, `A script has at most ${bounds.size} characters.`)
  .superRefine(({ steps }, { addIssue }) => {
    const known = new Set<string>()
    for (const [index, { tab, expects }] of steps.entries()) {
      const path = ['steps', index]
      if (tab !== undefined && !known.has(tab))
        addIssue({ code: 'custom', path: [...path, 'tab'], message: `No step before this one opens a tab "${tab}".` })
      for (const { tab: name } of expects.opens ?? []) {
        if (known.has(name))
          addIssue({ code: 'custom', path: [...path, 'expects'], message: `Another tab is named "${name}", too.` })
        known.add(name)
      }
      const stranger = expects.closes?.find((name) => !known.has(name))
      if (stranger !== undefined)
        addIssue({ code: 'custom', path: [...path, 'expects'], message: `No step opens a tab "${stranger}".` })
    }
  })

/** A script: steps with several ways to find their elements, and the expected outcome of each. */
export type Script = z.output<typeof scriptSchema>

/** The values of the parameters of a script. */
export const valuesSchema = z
  .record(
    parameterName,
    z.union([z.string().max(bounds.value), z.array(z.string().max(bounds.value)).max(bounds.items)]),
  )
  .meta({ title: 'Parameters', description: 'The value of each parameter: a string, or a list of strings.' })

/** The values of the parameters of a script. */
export type Values = z.output<typeof valuesSchema>
