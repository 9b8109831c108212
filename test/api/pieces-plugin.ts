// A plugin whose format has an option that is required and one that is not.
import { defineFormat, definePlugin, markdown } from '@harvestman/core/plugin'
import { z } from 'zod'

const pieces = defineFormat({
  type: 'pieces',
  options: z.object({
    size: z.int().min(1).describe('Characters of a chunk.'),
    label: z.string().optional().describe('A word before each chunk.'),
  }),
  value: z.array(z.string()),
  needs: { markdown },
  derive: ({ markdown }, { options: { size, label = '' } }) => {
    const words = markdown.trim()
    return Array.from({ length: Math.ceil(words.length / size) }, (_, index) => {
      return label + words.slice(index * size, (index + 1) * size)
    })
  },
})

export const cutter = definePlugin({ name: 'cutter', formats: [pieces] })
