export * from '@harvestman/scripts'
