import { z } from 'zod'

/** What a language model is told in the words of a caller, wherever data is asked of it. */
export const inWords = {
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
