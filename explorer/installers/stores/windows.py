"""For Windows: an installer of NSIS, for one user and without an administrator.

Start menu, an entry among the installed programs with its uninstaller, and .plm files. A scene's
name ends in .toml, which stays what it was.
"""

from explorer.desktop.files import DOCUMENT_TYPE, NAME
from explorer.paths import APP_NAME

KIND = "PLMExplorer.Document"
SCRIPT = r"""; Made by python -m explorer.installers recipes, read beside what `full` froze:
; makensis -DFOLDER=dist\plm-explorer -DOUT=dist\plm-explorer.exe setup.nsi
Unicode true
!include "MUI2.nsh"
!define NAME "@NAME@"
!ifdef NSIS_WIN32_MAKENSIS
  !define ALL "\*"
!else
  !define ALL "/*"
!endif
!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\@APP@"
Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "Software\@APP@" "Folder"
RequestExecutionLevel user
SetCompressor /SOLID lzma
VIProductVersion "@VERSION@.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "@VERSION@"
VIAddVersionKey "FileVersion" "@VERSION@"
VIAddVersionKey "FileDescription" "${NAME}"
VIAddVersionKey "LegalCopyright" "@LICENCE@"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Korean"

Section
  ; What an older version left would be imported by this one.
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${FOLDER}${ALL}"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\@APP@.exe"
  WriteRegStr HKCU "Software\@APP@" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "@VERSION@"
  WriteRegStr HKCU "${KEY}" "Publisher" "The ${NAME} authors"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  WriteRegStr HKCU "Software\Classes\.plm" "Content Type" "@KIND_TYPE@"
  WriteRegStr HKCU "Software\Classes\.plm\OpenWithProgids" "@KIND@" ""
  WriteRegStr HKCU "Software\Classes\@KIND@" "" "${NAME}"
  WriteRegStr HKCU "Software\Classes\@KIND@\shell\open\command" "" \
    '"$INSTDIR\@APP@.exe" "%1"'
SectionEnd

Section "Uninstall"
  ; What the program wrote of its user lies elsewhere, and stays.
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\@APP@.exe"
  Delete "$INSTDIR\LICENCES.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  DeleteRegKey HKCU "${KEY}"
  DeleteRegKey HKCU "Software\@APP@"
  DeleteRegKey HKCU "Software\Classes\@KIND@"
  DeleteRegValue HKCU "Software\Classes\.plm\OpenWithProgids" "@KIND@"
SectionEnd
"""


def setup(version: str, licence: str) -> str:
    """The text of setup.nsi.

    Args:
        version: Of the program.
        licence: As SPDX has it.
    """
    said = {
        "NAME": NAME,
        "APP": APP_NAME,
        "VERSION": version,
        "LICENCE": licence,
        "KIND": KIND,
        "KIND_TYPE": DOCUMENT_TYPE,
    }
    text = SCRIPT
    for name, value in said.items():
        text = text.replace(f"@{name}@", value)
    return text
