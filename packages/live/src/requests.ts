import { jobOptions, profileOption } from '@harvestman/core/plugin'
import { codeLanguages } from '@harvestman/ports'
import { z } from 'zod'

const seconds = (least: number, most: number, usual: number) => z.int().min(least).max(most).default(usual)

/** Lifetimes of a live browser in seconds, in total and without a call, and whether to record it. */
const life = {
  ttl: seconds(30, 3_600, 600),
  activityTtl: seconds(10, 3_600, 300),
  record: jobOptions.record,
  recordSession: z
    .boolean()
    .meta({
      description: 'Whether to record a video of the session, if the engine supports that. Default: true.',
    })
    .optional(),
}

const language = z.enum(codeLanguages).default('node')
const code = z.string().min(1).max(100_000)
const timeout = seconds(1, 300, 30).meta({ unit: 's' })

/** Request to open a live browser that does not belong to a scrape. */
export const sessionSchema = z.strictObject({
  ...life,
  streamWebView: z
    .boolean()
    .meta({ description: 'Offers a live view.', whenFalse: 'Offers no live view.' })
    .default(true),
  profile: profileOption,
})

/** A validated request for a live browser. */
export type SessionRequest = z.output<typeof sessionSchema>

/** Request to run code in a live browser. */
export const executeSchema = z.strictObject({ code, language, timeout })

const secret = z.strictObject({
  name: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')
    .describe('The name of the secret. Its placeholder in the prompt is `{{name}}`.'),
  value: z
    .string()
    .min(1)
    .max(10_000)
    .describe('The value of the secret. It is never sent to a model or stored in a record.'),
  origin: z
    .string()
    .max(300)
    .refine((text) => URL.parse(text)?.origin === text && /^https?:/.test(text), {
      message: 'must be an origin, such as https://shop.example',
    })
    .describe('The only origin where the secret may be filled in.'),
})

const hostName = z
  .string()
  .max(253)
  .regex(/^[\w.-]+$/, 'must be a host name, such as shop.example')

/** Request to run code or a prompt in the live browser of a scrape. */
export const interactSchema = z
  .strictObject({
    code: code.optional(),
    prompt: z.string().min(1).max(10_000).optional(),
    secrets: z
      .array(secret)
      .max(20)
      .meta({
        description: 'Secrets that the prompt refers to by placeholders. Each is filled in on one origin only.',
        secret: true,
      })
      .optional(),
    allow: z
      .array(hostName)
      .max(20)
      .describe('Hosts that the task may visit in addition to the site where it starts.')
      .optional(),
    language,
    timeout,
    ...life,
  })
  .refine(({ prompt, secrets, allow }) => prompt !== undefined || (secrets ?? allow) === undefined, {
    message: "'secrets' and 'allow' belong to a 'prompt'. Remove them, or give a prompt.",
  })
  .refine(({ code, prompt }) => code !== undefined || prompt !== undefined, {
    message: "Either 'code' or 'prompt' must be provided.",
  })
  .refine(({ code, prompt }) => code === undefined || prompt === undefined, {
    message: "Only one of 'code' and 'prompt' can be provided, not both.",
  })

/** A validated request to run code or a prompt. */
export type InteractRequest = z.output<typeof interactSchema>

/** Request to call a tool of the page. */
export const callToolSchema = z.strictObject({
  name: z.string().min(1).max(128).describe('The name of the tool, as the page declares it.'),
  input: z.record(z.string(), z.json()).default({}).describe('The input, which must fit the schema of the tool.'),
  timeout,
})

/** Request for a link to view a live browser. */
export const shareSchema = z.strictObject({
  ttl: seconds(60, 3_600, 900).meta({
    description: 'Seconds until the link expires. It expires with its live browser at the latest.',
  }),
})

/** Filters for the list of live browsers. */
export const sessionListSchema = z.object({ status: z.enum(['active', 'destroyed']).optional() })
