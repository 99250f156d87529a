import type { ResponseRule } from '@causeway/contract'
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { readImport } from './rules-text.ts'

/** Far above any published rules. */
const MOST_CHARACTERS = 1_000_000

interface Props {
  hasRules: boolean
  onTake: (rules: ResponseRule[], how: 'replace' | 'append') => void
}

/** Takes rules as they are published: pasted or from a file, whole or in part, with comments or without. */
export function RulesImportModal(props: Props) {
  const { t } = useTranslation('response-rules')
  const dialog = useDialog('import')
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('import.title')} width={640}>
      <ImportForm
        {...props}
        onTake={(rules, how) => {
          dialog.close()
          props.onTake(rules, how)
        }}
      />
    </ModalFrame>
  )
}

function ImportForm({ hasRules, onTake }: Props) {
  const { t } = useTranslation('response-rules')
  const [text, setText] = useState('')
  const isTooLong = text.length > MOST_CHARACTERS
  const rules = isTooLong ? undefined : readImport(text)
  const error = isTooLong ? t('import.tooLong') : t('import.unreadable')
  return (
    <Stack gap="sm" pb="md">
      <Text size="sm">{t('import.about')}</Text>
      <Textarea
        data-autofocus
        label={t('import.text')}
        dir="ltr"
        spellCheck={false}
        autosize
        minRows={8}
        maxRows={16}
        value={text}
        error={text.trim() !== '' && rules === undefined && error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Text size="sm" role="status">
        {rules && t('import.found', { count: rules.length })}
      </Text>
      <Group justify="flex-end" gap="sm">
        <FileButton accept=".json,.jsonc,application/json" onChange={(file) => void file?.text().then(setText)}>
          {(props) => (
            <Button {...props} variant="default">
              {t('import.file')}
            </Button>
          )}
        </FileButton>
        {hasRules && (
          <Button variant="default" disabled={!rules} onClick={() => rules && onTake(rules, 'append')}>
            {t('import.append')}
          </Button>
        )}
        <Button disabled={!rules} onClick={() => rules && onTake(rules, 'replace')}>
          {t(hasRules ? 'import.replace' : 'import.take')}
        </Button>
      </Group>
    </Stack>
  )
}
