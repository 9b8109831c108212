import { keyFamilies } from '@harvestman/ports/adapters'

const untilDeleted = 'until the dataset is deleted'

/** Every key that datasets write begins as one of these. The docs print them. */
export const datasetKeys = keyFamilies({
  dataset: {
    begins: 'list/datasets/of/',
    keeps: 'A dataset: its key, schema, columns and number of rows, by its team and name',
    writes: 'datasets',
    lives: untilDeleted,
  },
  row: {
    begins: 'list/datasets/rows/',
    keeps: 'A row with its history and where its values stand',
    writes: 'datasets',
    lives: untilDeleted,
  },
  deleted: {
    begins: 'list/datasets/deleted/',
    keeps: 'A deleted dataset whose rows are not all removed yet',
    writes: 'datasets',
    lives: 'until its rows are removed',
  },
})
