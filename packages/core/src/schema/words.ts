import { z } from 'zod'

/** Options that tell a language model in plain language what data to extract. */
export const promptOptions = {
  prompt: z
    .string()
    .min(1)
    .max(10_000)
    .meta({ title: 'Prompt', description: 'What to extract, in plain language. Required without a schema.' })
    .optional(),
  systemPrompt: z
    .string()
    .max(10_000)
    .meta({ title: 'System prompt', description: 'Further instructions for the model.' })
    .optional(),
}
