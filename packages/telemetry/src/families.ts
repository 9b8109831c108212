// All metrics, with their types, descriptions and the series that exist from the start.
import type { FaultPlace } from '@harvestman/ports'

/** Labels of a series. */
export type Labels = Readonly<Record<string, string>>

interface CounterFamily {
  readonly type: 'counter'
  readonly help: string
  /**
   * The series that start at 0: an alert on growth would miss the first step of a series that appears later. `{}` has no
   * labels.
   */
  readonly zeros: readonly Labels[]
}

interface OtherFamily {
  readonly type: 'histogram' | 'gauge'
  readonly help: string
}

type Family = CounterFamily | OtherFamily

const faultPlaces = { request: '', connection: '', process: '' } as const satisfies Record<FaultPlace, ''>

/** The methods of a store that are measured. */
export const storeCalls = ['get', 'getMany', 'set', 'update', 'delete', 'list', 'add'] as const

/** The metrics by name. */
export const families = {
  harvestman_scrapes_started_total: { type: 'counter', zeros: [{}], help: 'Scrapes that were begun.' },
  harvestman_scrapes_total: {
    type: 'counter',
    zeros: [{ outcome: 'completed' }],
    help: 'Scrapes that ended, by outcome: completed, or the code of the failure.',
  },
  harvestman_scrape_seconds: { type: 'histogram', help: 'How long scrapes took, whatever came of them.' },
  harvestman_step_seconds: { type: 'histogram', help: 'How long each step of a scrape took.' },
  harvestman_loader_tries_total: {
    type: 'counter',
    zeros: [],
    help: 'Tries of each loader, by outcome: page, passed or failed.',
  },
  harvestman_credits_total: { type: 'counter', zeros: [{}], help: 'Credits that scrapes cost.' },
  harvestman_store_forgotten_total: {
    type: 'counter',
    zeros: [{}],
    help: 'Entries of the store in memory that went before their time, because more was kept than fits.',
  },
  harvestman_store_forgotten_bytes_total: { type: 'counter', zeros: [{}], help: 'Bytes of these entries.' },
  harvestman_warnings_total: { type: 'counter', zeros: [{}], help: 'Warnings to the operator.' },
  harvestman_faults_total: {
    type: 'counter',
    zeros: Object.keys(faultPlaces).map((where) => ({ where })),
    help: 'Things of ours that broke, by where: request, connection or process.',
  },
  harvestman_jobs_stood_total: {
    type: 'counter',
    zeros: [{}],
    help: 'Jobs that did nothing though they could, and were given back to be taken up anew. Anything but 0 is a fault.',
  },
  harvestman_store_went_back_total: {
    type: 'counter',
    zeros: [{}],
    help: 'Runs of jobs that found the store at an earlier state than they had written. The jobs continue from what is there.',
  },
  harvestman_jobs_stranded_total: {
    type: 'counter',
    zeros: [{}],
    help: 'Jobs that were not over and not among the open jobs. Each was opened again, or ended when its log was lost.',
  },
  harvestman_job_wait_seconds: {
    type: 'histogram',
    help: 'How long jobs waited for a worker, by takeover: from when they were asked for, or from the last that the worker before kept.',
  },
  harvestman_http_requests_total: {
    type: 'counter',
    zeros: [],
    help: 'Responses of the API, by method, route and status code.',
  },
  harvestman_http_seconds: {
    type: 'histogram',
    help: 'Time until a response of the API began, by route. Long polls and streams count until their first byte.',
  },
  harvestman_store_seconds: { type: 'histogram', help: 'How long calls of the store took, by call.' },
  harvestman_store_errors_total: {
    type: 'counter',
    zeros: storeCalls.map((call) => ({ call })),
    help: 'Calls of the store that failed, by call.',
  },
  harvestman_team_jobs_open: {
    type: 'gauge',
    help: 'Open jobs of the teams that have most of them, on the store that all processes share. All other teams are `other`.',
  },
  harvestman_pages_lent: { type: 'gauge', help: 'Pages of jobs of this process that other processes are loading.' },
  harvestman_webhooks_waiting: {
    type: 'gauge',
    help: 'Messages to webhooks of jobs of this process that were not delivered yet.',
  },
  harvestman_monitor_lag_seconds: {
    type: 'gauge',
    help: 'How long the most overdue check of a monitor has been due, on the store that all processes share.',
  },
  harvestman_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'Delay of the event loop since these metrics were last fetched, by quantile.',
  },
  harvestman_jobs_open: {
    type: 'gauge',
    help: 'Jobs of all teams that are not over, on the store that all processes share.',
  },
  harvestman_jobs_running: { type: 'gauge', help: 'Jobs that this process works on: it holds the lease of each.' },
  harvestman_job_still_seconds: {
    type: 'gauge',
    help: 'Seconds since the job of this process that has stood longest kept anything. It may wait for a host.',
  },
  harvestman_places: { type: 'gauge', help: 'Places for pages in this process.' },
  harvestman_places_taken: { type: 'gauge', help: 'Places for pages that are taken.' },
  harvestman_load: {
    type: 'gauge',
    help: 'The part of the places that is taken, at most 1.25. More workers are of use where it is near 1.',
  },
  process_resident_memory_bytes: { type: 'gauge', help: 'Memory of the process.' },
  process_uptime_seconds: { type: 'gauge', help: 'Seconds since the process began.' },
} as const satisfies Readonly<Record<string, Family>>

/** The name of a metric. */
export type Name = keyof typeof families
