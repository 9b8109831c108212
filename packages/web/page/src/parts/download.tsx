import { useState } from 'preact/hooks'

import { refusalOf, type Refusal } from '../lib/api.ts'
import { number } from '../lib/format.ts'
import { say } from '../lib/say.ts'

const kinds = ['JSONL', 'CSV', 'Markdown (zip)']

export interface DownloadProps {
  readonly kind: string
  readonly id: string
  readonly fail: (refusal: Refusal) => void
}

/** The documents of a job as a file of the kind that is chosen. */
export function Download({ kind, id, fail }: DownloadProps) {
  const [count, setCount] = useState<number | undefined>()
  const start = async (label: string): Promise<void> => {
    setCount(0)
    try {
      const { download, fileKinds } = await import('../lib/download.ts')
      const file = fileKinds.find((one) => one.label === label)
      if (file) await download(file, { kind, id }, setCount)
      say(`The documents are in your downloads, as ${label}`)
    } catch (error) {
      fail(refusalOf(error))
    }
    setCount(undefined)
  }
  return (
    <select
      class="narrow button"
      aria-label="Download"
      disabled={count !== undefined}
      value=""
      onChange={(event) => void start(event.currentTarget.value)}
    >
      <option value="">{count === undefined ? 'Download' : `Reading, ${number(count)} pages`}</option>
      {kinds.map((label) => (
        <option key={label}>{label}</option>
      ))}
    </select>
  )
}
