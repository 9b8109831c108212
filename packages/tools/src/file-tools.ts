import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'

import { z } from 'zod'

import { ours } from './answer.ts'
import { documentAnswer, maxTokens, type PageDocument } from './page-tools.ts'
import { defineTool } from './tool.ts'

/** Maximum file sizes in bytes: of a file on disk, and of a file that the model passes. */
const most = { file: 50_000_000, brought: 10_000_000 }

const lettersOf = (bytes: number): number => Math.ceil(bytes / 3) * 4

export const parse = defineTool({
  name: 'parse',
  title: 'Read a file',
  description:
    'Converts a file to Markdown: HTML, PDF, docx, xlsx, pptx, odt, epub and others. Pass its path, if the server may read files, or its bytes in base64.',
  input: z.object({
    path: z.string().min(1).max(4_000).optional().describe('Its path in the folder that may be read.'),
    base64: z
      .string()
      .max(lettersOf(most.brought))
      .optional()
      .describe(`The bytes of the file in base64, ${most.brought / 1_000_000} MB at most.`),
    name: z.string().min(1).max(300).optional().describe('The file name, such as report.pdf.'),
    formats: z
      .array(z.enum(['markdown', 'links', 'summary', 'metadata']))
      .max(4)
      .default(['markdown'])
      .describe('What to return.'),
    maxTokens,
  }),
  run: async ({ path, base64, name, formats, maxTokens }, { api, signal, filesIn }) => {
    if ((path === undefined) === (base64 === undefined)) return [ours('Give either path or base64.')]
    const bytes = path === undefined ? fromBase64(base64 ?? '') : await readFile(path, filesIn)
    if (typeof bytes === 'string') return [ours(bytes)]
    const form = new FormData()
    form.append('options', JSON.stringify({ formats }))
    form.append('file', new Blob([new Uint8Array(bytes)]), name ?? (path === undefined ? 'file' : basename(path)))
    const { data } = await api.postForm<{ data: PageDocument }>('/v2/parse', form, signal)
    return documentAnswer(data, formats, maxTokens)
  },
})

/** Decodes base64. Returns an error message if it is invalid. */
function fromBase64(text: string): Uint8Array | string {
  const clean = text.replaceAll(/\s+/g, '')
  if (clean === '' || !/^[\w+/-]+={0,2}$/.test(clean))
    return 'base64 is empty, or has letters that base64 does not have.'
  return Buffer.from(clean, 'base64')
}

/** Returns the bytes of a file in the folder, or an error message. Symbolic links out of the folder are not followed. */
async function readFile(path: string, folder: string | undefined): Promise<Uint8Array | string> {
  if (folder === undefined) return 'No file of this machine may be read here. Send its bytes as base64.'
  const root = await realpath(folder)
  const found = await realpath(resolve(root, path)).catch(() => undefined)
  if (found === undefined || !isWithin(root, found)) return `There is no file at this path below ${join(root, '/')}.`
  // Non-blocking, so that opening a pipe does not wait.
  const file = await open(found, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { size, isFile } = await file.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }))
    if (!isFile) return 'This path is not of a file.'
    if (size > most.file) return `The file has more than ${most.file / 1_000_000} MB, which is the most that is read.`
    return await file.readFile()
  } finally {
    await file.close()
  }
}

function isWithin(root: string, found: string): boolean {
  const way = relative(root, found)
  return way !== '' && way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way)
}
