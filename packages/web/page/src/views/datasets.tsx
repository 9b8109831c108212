import type { Dataset, DatasetRow, QueryAnswer } from '@harvestman/client'
import { useEffect, useState } from 'preact/hooks'

import { addressOf } from '../lib/address.ts'
import { client, refusalOf, type Refusal } from '../lib/api.ts'
import { counted } from '../lib/format.ts'
import { useAnswer } from '../lib/poll.ts'
import { go, href } from '../lib/router.ts'
import { DatasetTable, QueryTable } from '../parts/dataset-table.tsx'
import { Notice } from '../parts/notice.tsx'
import { Back, Empty, Heading, Words } from '../parts/pieces.tsx'
import { Time } from '../parts/time.tsx'

/** Shows the datasets of the team, or the rows of one. */
export function DatasetsView({ name }: { readonly name: string | undefined }) {
  return name === undefined ? <List /> : <OneDataset name={name} />
}

function List() {
  const { answer: all, refusal } = useAnswer((signal) => client.datasets.list({ signal }), [])
  const [isMaking, setMaking] = useState(false)
  return (
    <>
      <div class="bar">
        <Heading>Datasets</Heading>
        <span class="grow" />
        {!isMaking && (
          <button type="button" onClick={() => setMaking(true)}>
            New dataset
          </button>
        )}
      </div>
      {isMaking && <NewDataset cancel={() => setMaking(false)} />}
      {refusal && <Notice refusal={refusal} />}
      {!all && !refusal && <Empty>Loading…</Empty>}
      {all?.length === 0 && (
        <Empty>
          <span>
            <Words text="No datasets yet. A dataset has rows with a key and their history. Crawl a site with the `json` format, then run `harvestman datasets add <name> --job <id>`." />
          </span>
          <a class="button" href={href(['try'], { request: JSON.stringify({ kind: 'crawl', formats: ['json'] }) })}>
            Start a crawl
          </a>
        </Empty>
      )}
      {all && all.length > 0 && (
        <div class="card rows">
          {all.map(({ name, key, columns, rows, updatedAt }) => (
            <a class="row" key={name} href={href(['datasets', name])}>
              <span aria-hidden="true">▦</span>
              <span class="where">
                {name} <span class="muted">key: {key.join(', ')}</span>
              </span>
              <span class="facts columns">
                <span>{counted(rows, 'row')}</span>
                <span>{counted(Object.keys(columns).length, 'column')}</span>
                <Time at={updatedAt} />
              </span>
            </a>
          ))}
        </div>
      )}
    </>
  )
}

function NewDataset({ cancel }: { readonly cancel: () => void }) {
  const [name, setName] = useState('')
  const [key, setKey] = useState('url')
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const columns = key.split(/[\s,]+/).filter((column) => column !== '')
  const create = async (): Promise<void> => {
    try {
      setRefusal(undefined)
      await client.datasets.create({ name: name.trim(), key: columns })
      go(['datasets', name.trim()])
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  return (
    <form
      class="card pad stack wide narrow"
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <h2>New dataset</h2>
      <div class="field">
        <label for="dataset-name">Name</label>
        <input
          id="dataset-name"
          type="text"
          placeholder="products"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="dataset-key">Key columns</label>
        <input
          id="dataset-key"
          type="text"
          class="mono"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <span class="hint">Two rows with the same values in these columns are one row. Separate them with commas.</span>
      </div>
      {refusal && <Notice refusal={refusal} />}
      <div class="bar">
        <button type="submit" class="primary" disabled={name.trim() === '' || columns.length === 0}>
          Create dataset
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}

const perPage = 200
const files = { jsonl: 'JSONL', csv: 'CSV', parquet: 'Parquet' } as const

function OneDataset({ name }: { readonly name: string }) {
  const { answer: dataset, refusal } = useAnswer((signal) => client.datasets.get(name, { signal }), [name])
  return (
    <>
      <Back to="datasets">All datasets</Back>
      <div class="bar">
        <Heading>
          {name} {dataset && <span class="muted">{counted(dataset.rows, 'row')}</span>}
        </Heading>
        <span class="grow" />
        {dataset &&
          Object.entries(files).map(([format, label]) => (
            <a
              class="button small"
              key={format}
              href={addressOf(`v2/datasets/${encodeURIComponent(name)}/export?format=${format}`).href}
              download
            >
              <span aria-hidden="true">↓</span> {label}
            </a>
          ))}
      </div>
      {refusal && <Notice refusal={refusal} />}
      {!dataset && !refusal && <Empty>Loading…</Empty>}
      {dataset && <Rows dataset={dataset} />}
    </>
  )
}

function Rows({ dataset }: { readonly dataset: Dataset }) {
  const { name, columns } = dataset
  const [rows, setRows] = useState<readonly DatasetRow[]>([])
  const [next, setNext] = useState<string | undefined>()
  const [sql, setSql] = useState('')
  const [table, setTable] = useState<QueryAnswer | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setRefusal(undefined)
    await work().catch((error: unknown) => setRefusal(refusalOf(error)))
  }
  const read = async (after?: string): Promise<void> => {
    const page = await client.datasets.rows(name, { limit: perPage, after })
    setRows((before) => (after === undefined ? page.data : [...before, ...page.data]))
    setNext(page.next)
  }
  useEffect(() => void attempt(read), [])
  const ask = async (): Promise<void> => {
    setTable(sql.trim() === '' ? undefined : await client.datasets.query(name, { sql, limit: perPage }))
  }
  return (
    <>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(ask)
        }}
      >
        <span class="grow">
          <input
            type="text"
            class="mono"
            aria-label="SQL over the rows"
            spellcheck={false}
            placeholder="SELECT * FROM rows WHERE …"
            value={sql}
            onInput={(event) => setSql(event.currentTarget.value)}
          />
        </span>
        <button type="submit">Query</button>
      </form>
      {refusal && <Notice refusal={refusal} />}
      {table ? <QueryTable table={table} /> : <DatasetTable columns={Object.keys(columns)} rows={rows} />}
      {!table && next !== undefined && (
        <div class="bar">
          <button type="button" onClick={() => void attempt(() => read(next))}>
            More rows
          </button>
        </div>
      )}
    </>
  )
}
