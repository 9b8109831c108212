import { isRecord, type OcrText } from '@harvestman/ports'
import { z } from 'zod'

const pixels = z.number().min(-100_000).max(100_000)
const share = z.number().min(0).max(1)

const word = z.object({
  text: z.string().max(1_000),
  /** Left, top, right and bottom edge in pixels. */
  box: z
    .tuple([pixels, pixels, pixels, pixels])
    .transform(([left, top, right, bottom]) => ({ left, top, right, bottom })),
  confidence: share.default(1),
})

const line = z
  .object({
    words: z.array(word).min(1).max(1_000),
    baseline: pixels.optional(),
    size: z.number().min(1).max(100_000).optional(),
  })
  .transform(({ words, baseline, size }) => {
    const top = Math.min(...words.map(({ box }) => box.top))
    const bottom = Math.max(...words.map(({ box }) => box.bottom))
    const height = Math.max(1, bottom - top)
    return { words, baseline: baseline ?? bottom - height / 5, size: size ?? height }
  })

const maxWords = 20_000

function countWords(lines: readonly unknown[]): number {
  return lines.reduce<number>(
    (sum, one) => sum + (isRecord(one) && Array.isArray(one['words']) ? one['words'].length : 0),
    0,
  )
}

/** Schema of the response of an OCR service. */
export const ocrResponse = z.object({
  width: z.number().min(1).max(100_000),
  height: z.number().min(1).max(100_000),
  rotation: z.literal([0, 90, 180, 270]).default(0),
  skew: z.number().min(-45).max(45).default(0),
  // Before the schema of each word, which takes longer.
  lines: z
    .array(z.unknown())
    .max(5_000)
    .refine((lines) => countWords(lines) <= maxWords, `has more than ${maxWords} words`)
    .pipe(z.array(line)),
}) satisfies z.ZodType<OcrText>
