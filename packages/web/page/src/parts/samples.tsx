import { useState } from 'preact/hooks'

import { addressOf } from '../lib/address.ts'
import { requestOf, type Draft } from '../lib/draft.ts'
import { samplesOf } from '../lib/samples.ts'
import { copy } from '../lib/say.ts'
import { Code, Tabs } from './pieces.tsx'

/** The request as code in several languages. */
export function Samples({ draft }: { readonly draft: Draft }) {
  const [name, setName] = useState('curl')
  const server = addressOf('').href.replace(/\/$/, '')
  const samples = samplesOf(draft.kind, requestOf(draft), server)
  const share = (): void => {
    const query = new URLSearchParams({ request: JSON.stringify(draft) })
    void copy(`${location.href.split('#')[0]}#/try?${query.toString()}`)
  }
  return (
    <details class="card">
      <summary>The request as code</summary>
      <Tabs
        chosen={name}
        choose={setName}
        tabs={samples.map((sample) => ({
          id: sample.name,
          label: sample.name,
          view: () => <Code text={sample.text} name={sample.name} />,
        }))}
      />
      <div class="footline">
        <button type="button" class="small" onClick={share}>
          Copy a link to this form
        </button>
      </div>
    </details>
  )
}
