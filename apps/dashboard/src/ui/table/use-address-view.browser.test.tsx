import { useEffect } from 'react'
import { expect, it } from 'vitest'
import { useSearch } from '@tanstack/react-router'
import { showPart } from '../../../test/screen.tsx'
import { emptyView, type TableView } from './data-table-view.ts'
import { useAddressView } from './use-address-view.ts'
import { useDialog } from '../frames/use-dialog.ts'

const kept = { key: 'some-table', version: 1, defaults: emptyView, keys: { filters: [], typed: [], passing: [], sorts: [] } }

it('a view that was found again is written into the address without the table or the dialogs being drawn anew', async () => {
  const views: TableView[] = []
  let drawnDialogs = 0
  function Table() {
    const { view } = useAddressView(kept)
    const search: Record<string, unknown> = useSearch({ strict: false })
    useEffect(() => void views.push(view), [view])
    return <p>size {String(search['size'])}</p>
  }
  function Dialog() {
    const { value } = useDialog('edit')
    useEffect(() => void drawnDialogs++)
    return value
  }
  const screen = await showPart(
    <>
      <Table />
      <Dialog />
    </>,
  )
  await expect.element(screen.getByText('size 25')).toBeVisible()
  expect(views).toEqual([emptyView])
  expect(drawnDialogs).toBe(1)
})

it('a filter that is typed does not take back the one that was chosen before the page was drawn with it', async () => {
  const keys = { ...kept.keys, filters: ['status', 'search'] }
  const filtered = { ...kept, key: 'filtered-table', keys }
  let first: ReturnType<typeof useAddressView> | undefined
  function Table() {
    const table = useAddressView(filtered)
    first ??= table
    return <p>{JSON.stringify(table.view.filters)}</p>
  }
  const screen = await showPart(<Table />)
  await expect.element(screen.getByText('{}')).toBeVisible()
  first?.changeView({ filters: { status: 'LIMITED' }, pageIndex: 0 })
  first?.changeView({ filters: { search: 'anna' }, pageIndex: 0 })
  await expect.element(screen.getByText('{"status":"LIMITED","search":"anna"}')).toBeVisible()
})
