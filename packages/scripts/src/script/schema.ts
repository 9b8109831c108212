// A script: data that one can read and edit.
import { z } from 'zod'

import { pageBounds } from '../page/eyes.ts'
import { stateSchema } from '../page/seen.ts'

/** Bounds of a script and of its runs. */
export const bounds = {
  steps: 100,
  /** Steps of a run, with those that are repeated. */
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

const text = z.string().max(pageBounds.text * 2)

/** The name of a script, as it stands in addresses. */
export const scriptName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'Use up to 63 lowercase letters, digits, - and _, beginning with a letter or digit.',
  )
  .meta({ title: 'Name', description: 'The name of the script, one of its kind in your team.' })

const parameterName = z.string().regex(/^[A-Za-z][\w-]{0,62}$/, 'Begin with a letter; then letters, digits, - and _.')

const tabName = z.string().regex(/^[a-z][\w-]{0,62}$/, 'Begin with a lowercase letter; then letters, digits, - and _.')

const opensSchema = z.strictObject({
  tab: tabName.meta({ title: 'Tab', description: 'The name by which later steps say that they act in it.' }),
  address: z.string().max(2_000).meta({ title: 'Address', description: 'What it shows.' }).optional(),
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
      'The ways to find the element: role and accessible name, label, own text, attributes, the texts before and after it, the texts of its row, its path, the id, name, title, address and path of the frame that it is in, the part of the page in which it was the only one of its role, and which one it is of those with its role and name.',
  })

/** The ways to find an element. */
export type Target = z.output<typeof targetSchema>

const expectsSchema = z
  .strictObject({
    address: z.string().max(2_000).meta({ title: 'Address', description: 'Where the page is then.' }).optional(),
    state: stateSchema.strict().meta({ title: 'State', description: 'What the element is then.' }).optional(),
    gone: z.literal(true).meta({ title: 'Gone', description: 'The element is not there any more.' }).optional(),
    shows: z
      .array(text)
      .max(5)
      .meta({ title: 'Shows', description: 'Headings, messages and texts that the page shows then.' })
      .optional(),
    controls: z
      .array(text)
      .max(5)
      .meta({ title: 'Controls', description: 'Fields and buttons that are there then, as `button Save`.' })
      .optional(),
    opens: z.array(opensSchema).min(1).max(5).meta({ title: 'Opens', description: 'Tabs that it opens.' }).optional(),
    closes: z.array(tabName).min(1).max(5).meta({ title: 'Closes', description: 'Tabs that it closes.' }).optional(),
  })
  .meta({ title: 'Expects', description: 'What must hold after the step.' })

/** What must hold after a step. */
export type Expects = z.output<typeof expectsSchema>

const stepSchema = z.strictObject({
  action: z.enum(['click', 'fill', 'select', 'press', 'goto']).meta({ title: 'Action', description: 'What is done.' }),
  tab: tabName
    .meta({
      title: 'Tab',
      description: 'The tab that it acts in, named by the step that opened it; the first without.',
    })
    .optional(),
  target: targetSchema.optional(),
  value: z
    .union([z.string().max(bounds.value), z.array(z.string().max(500)).max(bounds.items)])
    .meta({
      title: 'Value',
      description: 'The text, option, key or address. `{{name}}` stands for the parameter of that name.',
    })
    .optional(),
  each: parameterName
    .meta({ title: 'Each', description: 'A list: the step is done once for each of its items.' })
    .optional(),
  block: z
    .int()
    .min(1)
    .max(10)
    .meta({ title: 'Block', description: 'How many steps, this one and those behind it, are repeated by `each`.' })
    .optional(),
  until: text
    .meta({ title: 'Until', description: 'The step is repeated until the page shows this text, also not at all.' })
    .optional(),
  expects: expectsSchema.default({}),
})

/** One step of a script. */
export type Step = z.output<typeof stepSchema>

const parameterSchema = z.strictObject({
  type: z.enum(['text', 'list']),
  secret: z
    .boolean()
    .meta({ title: 'Secret', description: 'Its value is given with each run, and kept nowhere.' })
    .optional(),
  origin: z
    .string()
    .max(300)
    .meta({ title: 'Origin', description: 'The one origin on which a secret is filled in.' })
    .optional(),
})

/** What a script is. */
export const scriptSchema = z
  .strictObject({
    version: z.literal(1).meta({ title: 'Version', description: 'The version of this form.' }),
    start: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .meta({ title: 'Start', description: 'Where a run begins.' }),
    hosts: z
      .array(z.string().max(300))
      .min(1)
      .max(20)
      .meta({ title: 'Hosts', description: 'The hosts that a run may be led to.' }),
    parameters: z.record(parameterName, parameterSchema).meta({
      title: 'Parameters',
      description: 'What a run is given, by name.',
    }),
    steps: z
      .array(stepSchema)
      .min(1)
      .max(bounds.steps)
      .meta({ title: 'Steps', description: 'What is done, in order.' }),
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

/** A script: steps with several ways to find their elements, and what must hold after each. */
export type Script = z.output<typeof scriptSchema>

/** The values of the parameters of a script. */
export const valuesSchema = z
  .record(
    parameterName,
    z.union([z.string().max(bounds.value), z.array(z.string().max(bounds.value)).max(bounds.items)]),
  )
  .meta({ title: 'Parameters', description: 'The values by name: a text, or a list of texts.' })

/** The values of the parameters of a script. */
export type Values = z.output<typeof valuesSchema>
