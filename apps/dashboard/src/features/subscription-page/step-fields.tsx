import { PAGE_LANGUAGES, type PageButton, type PageTranslations } from '@causeway/contract'
import { ActionIcon, Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MachineTextInput } from '../../ui/inputs/inputs.tsx'
import { OrderList } from '../../ui/rows/order-list.tsx'
import { moveItem, NEW_BUTTON } from './page-editor.rules.ts'

interface TextsProps {
  label: string
  value: PageTranslations
  isLong?: boolean
  onChange: (value: PageTranslations) => void
}

/** One text in the three languages of the page; Persian is entered from right to left. */
export function TranslationFields({ label, value, isLong = false, onChange }: TextsProps) {
  const { t } = useTranslation('subscription-page')
  return (
    <SimpleGrid cols={1} spacing="xs">
      {PAGE_LANGUAGES.map((language) => {
        const field = {
          // Publishing reports texts that are too long; an auto-growing field must not block the page.
          maxLength: 10_000,
          label: t('textIn', { text: label, language: t(`language.${language}`) }),
          lang: language,
          dir: language === 'fa' ? 'rtl' : 'ltr',
          value: value[language],
          onChange: (event: { currentTarget: { value: string } }) =>
            onChange({ ...value, [language]: event.currentTarget.value }),
        } as const
        return isLong ? (
          <Textarea key={language} autosize minRows={3} maxRows={10} {...field} />
        ) : (
          <TextInput key={language} {...field} />
        )
      })}
    </SimpleGrid>
  )
}

interface ButtonsProps {
  /** Of which step they are. */
  step: string
  value: readonly PageButton[]
  onChange: (value: PageButton[]) => void
}

export function ButtonFields({ step, value, onChange }: ButtonsProps) {
  const { t } = useTranslation('subscription-page')
  const change = (place: number, button: PageButton) => onChange(value.map((one, index) => (index === place ? button : one)))
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {t('buttons')}
      </Text>
      <OrderList
        label={`${t('buttons')}: ${step}`}
        count={value.length}
        nameOf={(place) => t('buttonNumber', { number: place + 1 })}
        handleLabel={(place) => t('moveButton', { number: place + 1 })}
        onMove={(from, to) => onChange(moveItem(value, from, to))}
      >
        {(place) => {
          const button = value[place] ?? NEW_BUTTON
          return (
            <Stack gap="xs">
              <Group gap="xs" align="flex-end" wrap="nowrap">
                <MachineTextInput
                  flex={1}
                  label={t('buttonLink')}
                  value={button.buttonLink}
                  onChange={(event) => change(place, { ...button, buttonLink: event.currentTarget.value })}
                />
                <ActionIcon
                  size="lg"
                  aria-label={t('removeButton', { number: place + 1 })}
                  onClick={() => onChange(value.toSpliced(place, 1))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
              <TranslationFields
                label={t('buttonText')}
                value={button.buttonText}
                onChange={(buttonText) => change(place, { ...button, buttonText })}
              />
            </Stack>
          )
        }}
      </OrderList>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange([...value, NEW_BUTTON])}
      >
        {t('addButton')}
      </Button>
    </div>
  )
}
